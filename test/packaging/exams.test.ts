import { World } from '../../exams/oracle/evaluate'
import { runOracle } from '../../exams/oracle/run'
import type { Filter } from '../../exams/query/ast'
import type { Report } from '../../exams/shared/report'
import type { Row } from '../../exams/shared/rows'
import { runStorm } from '../../exams/storm/run'
import { runWorlds } from '../../exams/worlds/run'

// Shows that the exams find defects.

const SQLITE = { seed: 1, print: () => undefined, databases: ['sqlite'], layouts: ['single'] } as const

function foundBy({ differences }: Report): string {
  return differences.flatMap(({ request, problems }) => [request, ...problems]).join('\n')
}

describe('worlds', () => {
  it('finds no difference where rules hold', async () => {
    const report = await runWorlds({ ...SQLITE, count: 150 })
    expect(report.cases).toBe(150)
    expect(foundBy(report)).toBe('')
  })

  it.each(['memos', 'salary'] as const)('finds that a rule is left out: %s', async (leak) => {
    const report = await runWorlds({ ...SQLITE, count: 400, leak })
    expect(foundBy(report)).toContain('One: {"status":200')
  })
})

describe('oracle', () => {
  /** Ignores case. */
  class CaseInsensitiveWorld extends World {
    override holds(filter: Filter, row: Row): boolean {
      if (filter.kind !== 'match') return super.holds(filter, row)
      return super.holds({ ...filter, text: filter.text.toLowerCase() }, row)
    }
  }

  it('finds no difference between the library and its own evaluator', async () => {
    const report = await runOracle({ ...SQLITE, count: 150 })
    expect(report.cases).toBe(150)
    expect(foundBy(report)).toBe('')
  })

  it('finds a difference where its evaluator is wrong', async () => {
    const report = await runOracle({ ...SQLITE, count: 400, createWorld: (rows) => new CaseInsensitiveWorld(rows) })
    expect(report.differences.length).toBeGreaterThan(0)
    const others = report.differences.filter(({ request }) => !/contains|startsWith|endsWith/.test(request))
    expect(others.map(({ request }) => request)).toEqual([])
  })
})

describe('storm', () => {
  it('finds no difference where a transfer is one write', async () => {
    const report = await runStorm({ ...SQLITE, count: 200, kills: 2 })
    expect(report.cases).toBeGreaterThanOrEqual(200)
    expect(foundBy(report)).toBe('')
  })

  it('finds that a transfer is written in parts', async () => {
    const report = await runStorm({ ...SQLITE, count: 600, kills: 12, breaks: 'transfers' })
    // A kill falls before the second balance, or before the entries of the transfer.
    expect(foundBy(report)).toMatch(/The balances add up to \d+\.|has \d+, its entries add up to \d+\./)
  })
})
