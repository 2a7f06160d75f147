/** What a column of a primary key is to a codec: a number, or a text; integers of 64 bits are a text of digits. */
export type IdKey = string | number

/**
 * Between primary keys and the ids that clients see.
 *
 * - Every key has one id, and always the same: `decode(encode(key))` is that key.
 * - A text that is no id of a key, for which `decode` gives nothing or throws, is the id of a resource that does not exist.
 *
 * `{ encode: (key: number) => sqids.encode([key]), decode: (id) => sqids.decode(id)[0] }` -> `/accounts/86Rf07xd4z`
 *
 * A key of several columns is the list of their values:
 *
 * `{ encode: ([row, place]: readonly [string, number]) => row + place, decode: (id) => [id.charAt(0), Number(id.slice(1))] }` -> `/seats/B12`
 */
export interface IdCodec<Key extends IdKey | readonly IdKey[] = IdKey | readonly IdKey[]> {
  encode(key: Key): string
  decode(id: string): Key | undefined
}
