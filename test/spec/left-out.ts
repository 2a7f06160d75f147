/** Requirements without a test here, by id, each with its reason: the specification lets a server choose, and we don't do it. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  'FI-4': "Filters are those of the service specification: `any(author.id,'9','2')` in place of `filter[author]=9,2`.",
  'UP-10': 'May: an update that changes nothing but what was asked for answers 204.',
  'UR-12': 'May: what is as it was asked for answers 204.',
  'DE-2': 'May: a deletion answers 204.',
  'AS-3': 'May: nobody can tell how long the work of an application takes.',
  'ER-10': 'May: error objects have no ids.',
}

/** Requirements of which nothing that is sent shows anything, each with what we do about it. */
export const BY_DESIGN: Readonly<Record<string, string>> = {
  'QP-6':
    'Parameters beyond those of JSON:API are named by applications; those of the documentation are in camel case.',
}

/** Requirements whose tests pin something else than the specification says at its strictest, each with the reason. */
export const OTHERWISE: Readonly<Record<string, string>> = {
  'FI-1':
    'The service specification has expressions in `filter`; what stands in brackets is the relationship that is filtered.',
  'SF-9': 'Several fieldsets of one type are united, as includes are.',
  'CR-16':
    'An abstract type is 422, as the service specification says, not 409: it is of the endpoint, but nothing can be stored as it.',
  'QP-12':
    'The service specification joins filters with `or`; includes and fieldsets are united. Only sorts and pages are refused.',
}
