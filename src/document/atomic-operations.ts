/** The extension for several writes of which all are kept or none. https://jsonapi.org/ext/atomic/ */
export const ATOMIC_OPERATIONS = 'https://jsonapi.org/ext/atomic'
