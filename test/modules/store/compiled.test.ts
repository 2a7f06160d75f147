import { postgresDialect } from '../../../src/store/typeorm/dialects/dialect-postgres'
import { StatementCache } from '../../../src/store/typeorm/select/statement-cache'
import { planParameter } from '../../../src/store/typeorm/sql/plan-parameter'
import { identifier, toSql, value } from '../../../src/store/typeorm/sql/sql'

// Values of literals differ between plans of one shape; all else is its own.

let compiled: StatementCache
let count: number

beforeEach(() => {
  compiled = new StatementCache(postgresDialect)
  count = 0
})

function ask(column: string, number: number) {
  const literal = { kind: 'literal', value: number }
  return compiled.getOrCompile([column, literal], () => {
    count++
    const found = planParameter(literal, (node) => node.value)
    return { sql: toSql`select ${identifier(column)} where ${value(found)} = ${value(column)}` }
  }).statement
}

it('compiles a statement once for plans that differ in values, and again for another shape', () => {
  expect(ask('a', 1)).toEqual({ text: 'select a where $1 = $2', values: [1, 'a'] })
  expect(ask('a', 2)).toEqual({ text: 'select a where $1 = $2', values: [2, 'a'] })
  expect(count).toBe(1)
  expect(ask('b', 1)).toEqual({ text: 'select b where $1 = $2', values: [1, 'b'] })
  expect(count).toBe(2)
})

it('keeps a statement that is used again, and evicts those that are used once', () => {
  ask('hot', 1)
  ask('hot', 2)
  for (let each = 0; each < 5000; each++) ask(`cold${each}`, 1)
  expect(count).toBe(5001)
  ask('hot', 3)
  expect(count).toBe(5001)
  ask('cold0', 1)
  expect(count).toBe(5002)
})

it('does not keep a statement with a very long key', () => {
  const long = 'x'.repeat(3_000_000)
  ask(long, 1)
  ask(long, 2)
  expect(count).toBe(2)
})
