/** Runs a command with its arguments, and returns an exit code. */
export type Command = (words: readonly string[], print: (line: string) => void) => number | Promise<number>

export const EXIT_OK = 0
/** Issues were found, or the command failed. */
export const EXIT_FAILURE = 1
/** The arguments are invalid. */
export const EXIT_USAGE = 2
