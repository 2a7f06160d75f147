import * as exported from 'stemma/client'
import { FILTER_FUNCTIONS } from '../../../src/graph/query-function'

it('exports each built-in filter function', () => {
  expect(Object.keys(exported)).toEqual(expect.arrayContaining([...FILTER_FUNCTIONS]))
})

it('returns a single term of and() and or() unchanged', () => {
  const one: exported.Filter = exported.unchecked("equals(name,'Ada')")
  expect([exported.and(one), exported.or(one)]).toEqual([one, one])
  expect(exported.and(one, exported.or(one, one)).text).toBe(
    "and(equals(name,'Ada'),or(equals(name,'Ada'),equals(name,'Ada')))",
  )
})
