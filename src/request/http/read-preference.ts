import type { RequestHead } from './http-request'

/** The preferred response to a write. */
export type ReturnPreference = 'representation' | 'minimal'

/**
 * Reads `return` in the header `Prefer`. The first one counts; unknown values are ignored.
 * https://www.rfc-editor.org/rfc/rfc7240#section-4.2
 */
export function readPreference(headers: RequestHead['headers']): ReturnPreference | undefined {
  for (const preference of splitPreferences(headers.prefer ?? '')) {
    const [, name = '', quoted, plain] = PREFERENCE.exec(preference) ?? []
    if (name.toLowerCase() !== 'return') continue
    const value = quoted ?? plain
    return value === 'representation' || value === 'minimal' ? value : undefined
  }
  return undefined
}

/** Splits at commas outside of quotes. */
function splitPreferences(header: string): readonly string[] {
  return header.match(/(?:"[^"]*"|[^",])+/g) ?? []
}

/** Parameters of a preference, after a semicolon, are ignored. */
const PREFERENCE = /^[ \t]*([\w!#$%&'*+\-.^`|~]+)[ \t]*=(?:[ \t]*(?:"([^"]*)"|([^\s;"]+)))?[ \t]*(?:;|$)/
