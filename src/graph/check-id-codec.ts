import type { ConfigurationProblem } from '../errors/configuration-error'
import { nameOf } from './class-chain'
import { type DeclaredType, declaredAncestors } from './declared-type'
import type { ValueType } from './value-type'

/** What a type says of its ids: one row has one id, by whatever type of its hierarchy it is reached. */
export function checkIdCodec(type: DeclaredType): ConfigurationProblem[] {
  const codec: unknown = type.resource?.options.idCodec
  const root = declaredAncestors(type).at(-1)
  const wrong = codec === undefined ? undefined : (checkPlace(root) ?? checkFunctions(codec) ?? checkKey(type))
  return wrong === undefined ? [] : [{ at: nameOf(type.resourceClass), ...wrong }]
}

type Wrong = Pick<ConfigurationProblem, 'problem' | 'remedy'> | undefined

function checkPlace(root: DeclaredType | undefined): Wrong {
  if (root === undefined) return undefined
  const name = nameOf(root.resourceClass)
  return { problem: `it has an idCodec, but its ids are those of ${name}.`, remedy: `Say it once, at ${name}.` }
}

/** The code may be JavaScript. */
function checkFunctions(codec: unknown): Wrong {
  const { encode, decode }: Record<string, unknown> = Object(codec)
  if (typeof encode === 'function' && typeof decode === 'function') return undefined
  return { problem: 'its idCodec is none.', remedy: 'Give an object with the functions encode and decode.' }
}

function checkKey({ description }: DeclaredType): Wrong {
  const column = description?.columns.get(description.primaryKey[0] ?? '')
  if (column === undefined) return undefined
  if (column.isTransformed) {
    const problem = `its primary key ${column.property} has a transformer, and an idCodec besides.`
    return { problem, remedy: 'Take one of them away: both make something else of the key.' }
  }
  if (CODED.has(column.range.valueType)) return undefined
  const problem = `its primary key ${column.property} is of type ${column.range.valueType}, of which an idCodec can make nothing.`
  return { problem, remedy: 'Take it away, or give the class a primary key that is a number, a text or a UUID.' }
}

const CODED: ReadonlySet<ValueType> = new Set(['integer', 'bigint', 'string', 'uuid'] as const)
