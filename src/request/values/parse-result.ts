/** What comes of reading a value: the value as it is held, or what should have stood there. */
export type ParseResult = { readonly value: unknown } | { readonly expected: string }
