/** The result of reading a value: the value in its internal form, or a description of what was expected. */
export type ParseResult = { readonly value: unknown } | { readonly expected: string }
