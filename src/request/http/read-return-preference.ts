import type { RequestHead } from './http-request'

/** The preferred response to a write. */
export type ReturnPreference = 'representation' | 'minimal'

/**
 * Reads `return` in the header `Prefer`. The first one counts; unknown values are ignored.
 * https://www.rfc-editor.org/rfc/rfc7240#section-4.2
 */
export function readReturnPreference(headers: RequestHead['headers']): ReturnPreference | undefined {
  // Splits at commas outside of quotes.
  for (const preference of headers.prefer?.match(/(?:"[^"]*"|[^",])+/g) ?? []) {
    const [, name = '', quoted, plain] = PREFERENCE.exec(preference) ?? []
    if (name.toLowerCase() !== 'return') continue
    const value = quoted ?? plain
    return value === 'representation' || value === 'minimal' ? value : undefined
  }
  return undefined
}

/** Parameters of a preference, after a semicolon, are ignored. */
const PREFERENCE = /^[ \t]*([\w!#$%&'*+\-.^`|~]+)[ \t]*=(?:[ \t]*(?:"([^"]*)"|([^\s;"]+)))?[ \t]*(?:;|$)/
