/** What a command makes of the words behind its name: a status for the shell. */
export type Command = (words: readonly string[], print: (line: string) => void) => number | Promise<number>

export const EXIT_OK = 0
/** What was looked at is wrong, or what was asked for can't be done. */
export const EXIT_FAILURE = 1
/** The words were not understood. */
export const EXIT_USAGE = 2
