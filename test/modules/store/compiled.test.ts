import { Caches } from '../../../src/cache/caches'
import { Param } from '../../../src/query/tree/param'
import { postgresDialect } from '../../../src/store/typeorm/dialects/dialect-postgres'
import { CompiledQueryCache } from '../../../src/store/typeorm/select/compiled-query-cache'
import { boundConstantSql, joinSql, paramSql, rawSql, sqlTag } from '../../../src/store/typeorm/sql/sql'
import { createSumParam, mapParam } from '../../../src/store/typeorm/sql/sql-param'

// Values of literals differ between plans of one shape; all else is its own.

let compiled: CompiledQueryCache
let count: number

beforeEach(() => {
  compiled = new CompiledQueryCache(postgresDialect, new Caches())
  count = 0
})

function ask(column: string, number: number) {
  const literal = { kind: 'literal', value: new Param(number) }
  return compiled.getOrCompile([column, literal], () => {
    count++
    return {
      sql: sqlTag`select ${rawSql(column)} where ${paramSql(literal.value)} = ${boundConstantSql(column)}`,
    }
  }).statement
}

it('compiles a statement once for plans that differ in values, and again for another shape', () => {
  expect(ask('a', 1)).toEqual({ text: 'select a where $1 = $2', values: [1, 'a'] })
  expect(ask('a', 2)).toEqual({ text: 'select a where $1 = $2', values: [2, 'a'] })
  expect(count).toBe(1)
  expect(ask('b', 1)).toEqual({ text: 'select b where $1 = $2', values: [1, 'b'] })
  expect(count).toBe(2)
})

it('does not keep a statement with a very long key', () => {
  const long = 'x'.repeat(3_000_000)
  ask(long, 1)
  ask(long, 2)
  expect(count).toBe(2)
})

it.each([
  ['literal', 'value'],
  ['textMatch', 'text'],
  ['numbers', 'offset'],
  ['several', 'keys'],
  ['written', 'values'],
  ['added later', 'values'],
])('a plain value in a node is part of the cache key: %s.%s', (kind, member) => {
  const select = (values: readonly string[]) =>
    compiled.getOrCompile([{ kind, [member]: values }], () => {
      return { sql: sqlTag`select ${joinSql(values.map(boundConstantSql), ', ')}` }
    }).statement
  expect(select(['of one client'])).toEqual({ text: 'select $1', values: ['of one client'] })
  expect(select(['of another client'])).toEqual({ text: 'select $1', values: ['of another client'] })
})

it('binds one parameter in two places, and tells it apart from two parameters with the same value', () => {
  const select = (one: Param<string>, other: Param<string>) =>
    compiled.getOrCompile([one, other], () => ({
      sql: sqlTag`select ${paramSql(one)}, ${paramSql(other)}`,
    })).statement.values
  const same = new Param('a')
  expect(select(same, same)).toEqual(['a', 'a'])
  expect(select(new Param('a'), new Param('a'))).toEqual(['a', 'a'])
  expect(select(new Param('a'), new Param('b'))).toEqual(['a', 'b'])
})

it('computes values from the parameters of each plan', () => {
  const select = (offset: number, size: number) => {
    const [from, rows] = [new Param(offset), new Param(size)]
    return compiled.getOrCompile([from, rows], () => {
      const last = mapParam(createSumParam(from, rows, 1), String)
      return { sql: sqlTag`select ${paramSql(mapParam(from, (each) => -each))}, ${paramSql(last)}` }
    }).statement.values
  }
  expect(select(2, 3)).toEqual([-2, '6'])
  expect(select(5, 10)).toEqual([-5, '16'])
})

it('refuses a statement with a parameter that is not in its cache key', () => {
  const compile = () => compiled.getOrCompile(['rows'], () => ({ sql: sqlTag`select ${paramSql(new Param(1))}` }))
  expect(compile).toThrow('A statement binds a parameter that its cache key does not know.')
})
