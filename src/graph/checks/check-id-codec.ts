import type { ConfigurationIssue } from '../../errors/configuration-error'
import { type DeclaredType, declaredAncestors } from '../model/declared-type'
import type { ColumnDescription, EntityDescription } from '../model/entity-description'
import { nameOf } from '../model/superclasses'
import type { AttributeType } from '../model/value-type'

/** What a type says of its ids: one row has one id, by whatever type of its hierarchy it is reached. */
export function checkIdCodec(type: DeclaredType): ConfigurationIssue[] {
  const codec: unknown = type.resource?.options.idCodec
  const root = declaredAncestors(type).at(-1)
  const columns = keyColumns(type.description)
  const wrong =
    codec === undefined
      ? checkJoined(columns)
      : (checkPlace(root) ?? checkFunctions(codec) ?? checkColumns(columns, 'an idCodec'))
  return wrong === undefined ? [] : [{ location: nameOf(type.resourceClass), ...wrong }]
}

type Wrong = Pick<ConfigurationIssue, 'message' | 'remedy'> | undefined

function checkPlace(root: DeclaredType | undefined): Wrong {
  if (root === undefined) return undefined
  const name = nameOf(root.resourceClass)
  return { message: `it has an idCodec, but its ids are those of ${name}.`, remedy: `Say it once, at ${name}.` }
}

/** The code may be JavaScript. */
function checkFunctions(codec: unknown): Wrong {
  const { encode, decode }: Record<string, unknown> = Object(codec)
  if (typeof encode === 'function' && typeof decode === 'function') return undefined
  return { message: 'its idCodec is none.', remedy: 'Give an object with the functions encode and decode.' }
}

/** A key of several columns has a codec of ours. */
function checkJoined(columns: readonly ColumnDescription[]): Wrong {
  return columns.length < 2 ? undefined : checkColumns(columns, 'an id of several parts')
}

function checkColumns(columns: readonly ColumnDescription[], what: string): Wrong {
  return columns.map((column) => checkColumn(column, what)).find((wrong) => wrong !== undefined)
}

function keyColumns(description: EntityDescription | undefined): readonly ColumnDescription[] {
  return description?.primaryKey.flatMap((property) => description.columns.get(property) ?? []) ?? []
}

function checkColumn({ property, range: { valueType }, isTransformed }: ColumnDescription, what: string): Wrong {
  if (isTransformed) {
    const message = `its primary key ${property} has a transformer, and ${what} besides.`
    return { message, remedy: 'Take one of them away: both make something else of the key.' }
  }
  if (CODED.has(valueType)) return undefined
  const message = `its primary key ${property} is of type ${valueType}, of which ${what} can make nothing.`
  return { message, remedy: 'Take it away, or make it a number, a text, a UUID or a date.' }
}

const CODED: ReadonlySet<AttributeType> = new Set(['integer', 'bigint', 'string', 'uuid', 'date'] as const)
