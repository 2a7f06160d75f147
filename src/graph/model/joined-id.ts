import type { IdCodec, IdKey } from '../../declarations/id-codec'

/**
 * Ids of keys of several columns, where there is no codec of the application's own: their parts with `~` in between, which URLs need not
 * encode. In a part `!` stands before each `~` and `!`, so that every text can be one.
 *
 * `['NO', 7]` -> `NO~7`; `['a~b', 'c!']` -> `a!~b~c!!`
 */
export const JOINED: IdCodec<readonly IdKey[]> = {
  encode: (key) => key.map((part) => String(part).replace(/[~!]/g, '!$&')).join('~'),
  decode(id) {
    if (!WELL_FORMED.test(id)) return undefined
    return [...`${id}~`.matchAll(PART)].map(([, part = '']) => part.replace(/!([~!])/g, '$1'))
  },
}

const WELL_FORMED = /^(?:[^!]|![~!])*$/s
/** Each behind the one before: looked for anywhere, a text without an end would be read again from each of its letters. */
const PART = /((?:[^~!]|![~!])*)~/gsy
