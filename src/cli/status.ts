/** The words behind a command were not understood. */
export const MISUSED = 2
