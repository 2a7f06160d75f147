import type { IdCodec, PrimaryColumnValue } from '../../declarations/id-codec'
import { InvariantError } from '../../errors/invariant'
import type { ResourceType } from './resource-graph'
import { isCanonicalDatetime, isDateString, isIpAddressOrCidr, isStorableText, isUuid } from './text-formats'
import type { AttributeType, ValueConstraints } from './value-type'

/**
 * Returns the key of an id, in the form that `AttributeType` describes; `undefined` if no row can have it: `01`, `1abc` or 10^30 for an
 * integer key, or an id that its codec would encode differently.
 */
export function decodeIdToRuntimeKey(id: string, constraints: ValueConstraints): unknown {
  const { codec } = constraints
  if (codec === undefined) return primaryKeyValueFromText(id, constraints)
  const key = tryDecode(codec, id)
  const value = key === undefined ? undefined : readDecoded(key, constraints)
  if (!isKey(value)) return undefined
  // A composite id has one form, except that its UUIDs may be in either case.
  return codec === COMPOSITE_ID_CODEC || codec.encode(value) === id ? value : undefined
}

/** Returns the id of a key. */
export function encodeRuntimeKeyToId(key: unknown, { codec }: ValueConstraints): string {
  if (codec === undefined) return keyToText(key)
  const id: unknown = isKey(key) ? codec.encode(key) : undefined
  if (typeof id === 'string' && id !== '' && id !== '.' && id !== '..') return id
  throw new InvariantError(
    `An idCodec encoded a key as ${JSON.stringify(id)}, which is not a valid id in a URL. Return a text that is not empty, '.' or '..'.`,
  )
}

function keyToText(key: unknown): string {
  return key instanceof Date && !Number.isNaN(key.getTime()) ? key.toISOString() : String(key)
}

/** Returns the canonical form of an id: a UUID may be sent in either case. */
export function canonicalId({ id: { constraints } }: ResourceType, id: string): string {
  if (constraints.codec !== COMPOSITE_ID_CODEC)
    return constraints.valueType === 'uuid' && constraints.codec === undefined ? id.toLowerCase() : id
  const key = decodeIdToRuntimeKey(id, constraints)
  return key === undefined ? id : encodeRuntimeKeyToId(key, constraints)
}

/** Describes a valid id for messages. Reveals nothing about keys behind an application's codec. */
export function formatExpectedId({ codec, parts = [] }: ValueConstraints): string {
  return codec === COMPOSITE_ID_CODEC ? `an id of ${parts.length} parts with '~' in between` : 'an id'
}

function readDecoded(key: unknown, constraints: ValueConstraints): unknown {
  const { parts } = constraints
  if (parts === undefined) return primaryKeyValueFromText(String(key), constraints)
  if (!Array.isArray(key) || key.length !== parts.length) return undefined
  const values = parts.map((part, index) => primaryKeyValueFromText(String(key[index]), part))
  return values.includes(undefined) ? undefined : values
}

/** Decodes an id. A codec may throw for text that is not an id. */
function tryDecode(codec: IdCodec, id: string): unknown {
  try {
    return codec.decode(id)
  } catch {
    return undefined
  }
}

/** Reads a key from text, in the form that `AttributeType` describes; `undefined` if no row can have it. */
export function primaryKeyValueFromText(text: string, constraints: ValueConstraints): unknown {
  if (!isValidKeyText(text, constraints)) return undefined
  if (constraints.valueType === 'uuid') return text.toLowerCase()
  if (constraints.valueType === 'datetime' && isCanonicalDatetime(text)) return new Date(text)
  return constraints.valueType === 'integer' ? Number(text) : text
}

/** Returns true if several texts can be the same key for the database: `1` and `1.0`. Then the id of a row decides. */
export function keyHasSeveralTexts({ valueType, codec, databaseType }: ValueConstraints): boolean {
  return codec === undefined && (databaseType !== undefined || !EXACT_TYPES.has(valueType))
}

const EXACT_TYPES: ReadonlySet<AttributeType> = new Set([
  ...(['integer', 'bigint', 'string', 'uuid', 'date', 'enum', 'binary'] as const),
])

/** Returns false for text that can't be a key of an enum, decimals, moments or addresses. Does not apply to keys with a transformer. */
export function isPossibleUntransformedKeyText(
  id: string,
  { valueType, enumValues, databaseType }: ValueConstraints,
): boolean {
  if (valueType === 'decimal') return DECIMAL.test(id)
  if (valueType === 'datetime') return isCanonicalDatetime(id)
  if (databaseType === 'inet') return isIpAddressOrCidr(id)
  return valueType !== 'enum' || (enumValues?.some((each) => String(each) === id) ?? true)
}

function isValidKeyText(text: string, { valueType, minimum, maximum, isPadded }: ValueConstraints): boolean {
  if (!isStorableText(text) || (isPadded && text.endsWith(' '))) return false
  if (valueType === 'uuid') return isUuid(text)
  if (valueType === 'date') return isDateString(text)
  if (valueType !== 'integer' && valueType !== 'bigint') return true
  if (!INTEGER.test(text)) return false
  const number = BigInt(text)
  return number >= (minimum ?? number) && number <= (maximum ?? number)
}

function isKey(value: unknown): value is PrimaryColumnValue | readonly PrimaryColumnValue[] {
  return Array.isArray(value) ? value.every(isKeyPart) : isKeyPart(value)
}

function isKeyPart(value: unknown): value is PrimaryColumnValue {
  return typeof value === 'string' || typeof value === 'number'
}

/**
 * The codec of composite keys, unless the application has its own: the parts joined by `~`, which URLs need not
 * encode. Within a part, `!` escapes `~` and `!`.
 *
 * `['NO', 7]` -> `NO~7`; `['a~b', 'c!']` -> `a!~b~c!!`
 */
export const COMPOSITE_ID_CODEC: IdCodec<readonly PrimaryColumnValue[]> = {
  encode: (key) => key.map((part) => String(part).replace(/[~!]/g, '!$&')).join('~'),
  decode(id) {
    if (!WELL_FORMED.test(id)) return undefined
    return [...`${id}~`.matchAll(PART)].map(([, part = '']) => part.replace(/!([~!])/g, '$1'))
  },
}

const WELL_FORMED = /^(?:[^!]|![~!])*$/s
/** Sticky, so that matching takes linear time. */
const PART = /((?:[^~!]|![~!])*)~/gsy

/** Integers of 64 bits, signed or not, have at most 20 digits. */
const DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/
const INTEGER = /^(?:0|-?[1-9]\d{0,19})$/
