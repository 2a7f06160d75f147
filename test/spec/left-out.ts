/** Requirements without a test here, by id, each with its reason: the specification lets a server choose, and we don't do it. */
export const LEFT_OUT: Readonly<Record<string, string>> = {}

/** Requirements of which nothing that is sent shows anything, each with what we do about it. */
export const BY_DESIGN: Readonly<Record<string, string>> = {}

/** Requirements whose tests pin something else than the specification says at its strictest, each with the reason. */
export const OTHERWISE: Readonly<Record<string, string>> = {}
