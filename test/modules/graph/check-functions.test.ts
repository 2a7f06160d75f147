import { Attribute, Resource } from 'stemma'
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm'
import { defineFunction, type QueryFunction } from '../../../src/graph/query-function'
import { graphOf, mistakesOf } from './support/with-graph'

@Resource('tags')
@Entity()
class Tag {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar' }) label: string
}

const upper = defineFunction({
  name: 'upper',
  takes: ['string'],
  gives: 'string',
  toSql: (sql, [text]) => sql`upper(${text})`,
})

/** JavaScript may give anything. */
function mistakesIn(...functions: readonly object[]): Promise<readonly string[]> {
  return mistakesOf({ resources: [Tag], options: { functions: functions as readonly QueryFunction[] } })
}

it('finds functions by name', async () => {
  const { functions } = await graphOf({ resources: [Tag], options: { functions: [upper] } })
  expect([...functions]).toEqual([['upper', upper]])
})

it.each([
  ['a name with a blank', { name: 'to upper' }, "The function 'to upper': its name is not a legal one. Use letters"],
  ['a name with a dot', { name: 'to.upper' }, "The function 'to.upper': its name is not a legal one. Use letters"],
  ['no name', { name: undefined }, "The function 'undefined': its name is not a legal one. Use letters"],
  ['the name of a filter', { name: 'equals' }, 'its name has a meaning in filters already. Give it another name.'],
  ['the name of count', { name: 'count' }, 'its name has a meaning in filters already. Give it another name.'],
  ['the name of null', { name: 'null' }, 'its name has a meaning in filters already. Give it another name.'],
  ['no parameter', { takes: [] }, 'it takes no value. Give at least one of string, uuid, '],
  ['parameters that are no list', { takes: 'string' }, 'it takes no value. Give at least one of string, uuid, '],
  ['a type that is none', { takes: ['text'] }, "it takes 'text', which is no type of values. Give at least one of "],
  ['a result that is none', { gives: 'text' }, "it gives 'text', which is no type of values. Give one of string, "],
  [
    'a result of unknown values',
    { gives: 'enum' },
    "it gives 'enum', and nobody knows of which values. Give 'string'.",
  ],
  ['no toSql', { toSql: undefined }, 'it has no toSql. Make it with defineFunction, whose toSql gives the expression.'],
])('refuses %s', async (_what, change, message) => {
  expect(await mistakesIn({ ...upper, ...change })).toEqual([expect.stringContaining(message)])
})

it('refuses functions with the same name', async () => {
  expect(await mistakesIn(upper, upper, upper)).toEqual([
    "The function 'upper': there is more than one function of this name. Give each a name of its own.",
  ])
})

it('reports the mistakes of all functions together', async () => {
  expect(await mistakesIn({}, { ...upper, takes: ['a', 'b'] })).toHaveLength(6)
})
