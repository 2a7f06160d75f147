import { Evaluator } from '../../exams/oracle/evaluate'
import { runOracle } from '../../exams/oracle/run'
import type { Filter } from '../../exams/query/ast'
import type { Report } from '../../exams/shared/report'
import type { Row } from '../../exams/shared/rows'
import { runStorm } from '../../exams/storm/run'
import { runWorlds } from '../../exams/worlds/run'

// Shows that the exams find defects.

const SQLITE = { seed: 1, print: () => undefined, databases: ['sqlite'], layouts: ['single'] } as const

function problemsOf({ differences }: Report): string {
  return differences.flatMap(({ request, problems }) => [request, ...problems]).join('\n')
}

describe('worlds', () => {
  it('finds no difference if all rules apply', async () => {
    const report = await runWorlds({ ...SQLITE, count: 150 })
    expect([report.cases, problemsOf(report)]).toEqual([150, ''])
  })

  it.each(['memos', 'salary'] as const)('finds a difference if a rule is missing: %s', async (leak) => {
    const report = await runWorlds({ ...SQLITE, count: 400, leak })
    expect(problemsOf(report)).toContain('First: {"status":200')
  })
})

describe('oracle', () => {
  /** Compares texts case-insensitively, which is wrong. */
  class CaseInsensitiveEvaluator extends Evaluator {
    override matches(filter: Filter, row: Row): boolean {
      if (filter.kind !== 'match') return super.matches(filter, row)
      return super.matches({ ...filter, text: filter.text.toLowerCase() }, row)
    }
  }

  it('finds no difference between the library and its own evaluator', async () => {
    const report = await runOracle({ ...SQLITE, count: 150 })
    expect([report.cases, problemsOf(report)]).toEqual([150, ''])
  })

  it('finds a difference if its evaluator is wrong', async () => {
    const report = await runOracle({
      ...SQLITE,
      count: 400,
      createEvaluator: (rows) => new CaseInsensitiveEvaluator(rows),
    })
    expect(report.differences.length).toBeGreaterThan(0)
    const otherDifferences = report.differences.filter(({ request }) => !/contains|startsWith|endsWith/.test(request))
    expect(otherDifferences.map(({ request }) => request)).toEqual([])
  })
})

describe('storm', () => {
  it('finds no difference if a transfer is one write', async () => {
    const report = await runStorm({ ...SQLITE, count: 200, kills: 2 })
    expect(report.cases).toBeGreaterThanOrEqual(200)
    expect(problemsOf(report)).toBe('')
  })

  it('finds a difference if a transfer is written in several requests', async () => {
    let problems = ''
    // Whether a process is killed before the second balance or the entry is written is chance.
    for (let seed = 1; seed <= 5 && problems === ''; seed += 1)
      problems = problemsOf(await runStorm({ ...SQLITE, seed, count: 600, kills: 12, sabotage: 'transfers' }))
    expect(problems).toMatch(/The balances add up to \d+\.|has \d+, its entries add up to \d+\./)
  }, 120_000)
})
