/** The value of a primary key column as a codec receives it: a number or a string. 64-bit integers are strings of digits. */
export type PrimaryColumnValue = string | number

/**
 * Converts between primary keys and the ids that clients see.
 *
 * - `decode(encode(key))` must be the key, and a key must always have the same id.
 * - If `decode` returns `undefined` or throws, the resource does not exist.
 *
 * `{ encode: (key: number) => sqids.encode([key]), decode: (id) => sqids.decode(id)[0] }` -> `/accounts/86Rf07xd4z`
 *
 * A key of several columns is a list of their values:
 *
 * `{ encode: ([row, place]: readonly [string, number]) => row + place, decode: (id) => [id.charAt(0), Number(id.slice(1))] }` -> `/seats/B12`
 */
export interface IdCodec<
  Key extends PrimaryColumnValue | readonly PrimaryColumnValue[] = PrimaryColumnValue | readonly PrimaryColumnValue[],
> {
  encode(key: Key): string
  decode(id: string): Key | undefined
}
