import type { RequestHead } from './http-request'

/** What a write is to be answered with, where there is a choice. */
export type ReturnPreference = 'representation' | 'minimal'

/**
 * `return` in the header `Prefer`; the first one counts, and what can't be understood is no preference.
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

/** At commas that are in no quotes. */
function splitPreferences(header: string): readonly string[] {
  return header.match(/(?:"[^"]*"|[^",])+/g) ?? []
}

/** Its own parameters, behind a semicolon, mean nothing here. */
const PREFERENCE = /^[ \t]*([\w!#$%&'*+\-.^`|~]+)[ \t]*=(?:[ \t]*(?:"([^"]*)"|([^\s;"]+)))?[ \t]*(?:;|$)/
