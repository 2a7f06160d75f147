import type { ConfigurationIssue } from '../../errors/configuration-error'
import type { ColumnDescription, EntityDescription } from '../model/entity-description'
import { type RegisteredResourceClass, registeredAncestors } from '../model/registered-resource-class'
import { classNameForMessages } from '../model/superclasses'
import type { AttributeType } from '../model/value-type'

/** Checks the id codec. A row has one id, so only the topmost type of a hierarchy can have a codec. */
export function findIdCodecIssues(type: RegisteredResourceClass): ConfigurationIssue[] {
  const codec: unknown = type.resource?.options.idCodec
  const root = registeredAncestors(type).at(-1)
  const columns = keyColumns(type.description)
  const problem =
    codec === undefined
      ? findCompositeKeyIssue(columns)
      : (findCodecPlaceIssue(root) ?? findCodecFunctionIssue(codec) ?? findAnyColumnIssue(columns, 'an idCodec'))
  return problem === undefined ? [] : [{ location: classNameForMessages(type.resourceClass), ...problem }]
}

type CodecIssue = Pick<ConfigurationIssue, 'message' | 'remedy'> | undefined

function findCodecPlaceIssue(root: RegisteredResourceClass | undefined): CodecIssue {
  if (root === undefined) return undefined
  const name = classNameForMessages(root.resourceClass)
  return { message: `it has an idCodec, but its ids are those of ${name}.`, remedy: `Move it to ${name}.` }
}

function findCodecFunctionIssue(codec: unknown): CodecIssue {
  const { encode, decode }: Record<string, unknown> = Object(codec)
  if (typeof encode === 'function' && typeof decode === 'function') return undefined
  return { message: 'its idCodec is invalid.', remedy: 'Give an object with the functions encode and decode.' }
}

/** Checks a composite key without an `idCodec`, for which the built-in codec is used. */
function findCompositeKeyIssue(columns: readonly ColumnDescription[]): CodecIssue {
  return columns.length < 2 ? undefined : findAnyColumnIssue(columns, 'an id of several parts')
}

function findAnyColumnIssue(columns: readonly ColumnDescription[], encoder: string): CodecIssue {
  return columns.map((column) => findColumnIssue(column, encoder)).find((problem) => problem !== undefined)
}

function keyColumns(description: EntityDescription | undefined): readonly ColumnDescription[] {
  return description?.primaryKey.flatMap((property) => description.columns.get(property) ?? []) ?? []
}

function findColumnIssue(
  { property, constraints: { valueType }, isTransformed }: ColumnDescription,
  encoder: string,
): CodecIssue {
  if (isTransformed) {
    const message = `its primary key ${property} has a transformer and ${encoder}.`
    return { message, remedy: 'Remove one of them: both change the key.' }
  }
  if (ENCODABLE_TYPES.has(valueType)) return undefined
  const message = `its primary key ${property} is of type ${valueType}, which ${encoder} can't encode.`
  return { message, remedy: 'Remove the codec, or make the key a number, a text, a UUID or a date.' }
}

const ENCODABLE_TYPES: ReadonlySet<AttributeType> = new Set(['integer', 'bigint', 'string', 'uuid', 'date'] as const)
