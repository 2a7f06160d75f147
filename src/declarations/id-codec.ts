/** What a primary key is to a codec: a number, or a text; integers of 64 bits are a text of digits. */
export type IdKey = string | number

/**
 * Between primary keys and the ids that clients see.
 *
 * - Every key has one id, and always the same: `decode(encode(key))` is that key.
 * - A text that is no id of a key, for which `decode` gives nothing or throws, is the id of a resource that does not exist.
 *
 * `{ encode: (key: number) => sqids.encode([key]), decode: (id) => sqids.decode(id)[0] }` -> `/accounts/86Rf07xd4z`
 */
export interface IdCodec<Key extends IdKey = IdKey> {
  encode(key: Key): string
  decode(id: string): Key | undefined
}
