import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Evaluator } from '../../exams/oracle/evaluate'
import { runOracle } from '../../exams/oracle/run'
import type { Filter } from '../../exams/query/ast'
import { childrenOf, sendSignal } from '../../exams/shared/programs'
import type { Report } from '../../exams/shared/report'
import type { Row } from '../../exams/shared/rows'
import { createStormProgram, readOptions } from '../../exams/storm/options'
import { runStorm } from '../../exams/storm/run'
import { runWorlds } from '../../exams/worlds/run'
import { until } from '../support/until'

// Shows that the exams find defects.

const SQLITE = { seed: 1, print: () => undefined, databases: ['sqlite'], layouts: ['single'] } as const
const ROOT = join(__dirname, '..', '..')

/** A process that has ended has no command line. */
function isServer(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('server.ts')
  } catch {
    return false
  }
}

function problemsOf({ differences }: Report): string {
  return differences.flatMap(({ request, problems }) => [request, ...problems]).join('\n')
}

it.each([
  ['worlds', runWorlds],
  ['oracle', runOracle],
] as const)('finds no difference in a library without defects: %s', async (_name, run) => {
  const report = await run({ ...SQLITE, count: 150 })
  expect([report.cases, problemsOf(report)]).toEqual([150, ''])
})

it.each(['memos', 'salary'] as const)('worlds finds a difference if a rule is missing: %s', async (leak) => {
  expect(problemsOf(await runWorlds({ ...SQLITE, count: 400, leak }))).toContain('First: {"status":200')
})

describe('oracle', () => {
  /** Compares texts case-insensitively, which is wrong. */
  class CaseInsensitiveEvaluator extends Evaluator {
    override matches(filter: Filter, row: Row): boolean {
      if (filter.kind !== 'match') return super.matches(filter, row)
      return super.matches({ ...filter, text: filter.text.toLowerCase() }, row)
    }
  }

  it('finds a difference if its evaluator is wrong', async () => {
    const createEvaluator = (rows: readonly Row[]) => new CaseInsensitiveEvaluator(rows)
    const { differences } = await runOracle({ ...SQLITE, count: 400, createEvaluator })
    expect(differences.length).toBeGreaterThan(0)
    const requests = differences.map(({ request }) => request)
    expect(requests.filter((request) => !/contains|startsWith|endsWith/.test(request))).toEqual([])
  })
})

describe('storm', () => {
  const read = (text: string) => readOptions(createStormProgram(), text.split(' '))
  const QUICK = { ...read('--topology process --faults none --count 200 --rounds 2'), print: () => undefined }

  it('finds no difference in one process without faults', async () => {
    const report = await runStorm(QUICK)
    expect([report.cases >= 200, problemsOf(report)]).toEqual([true, ''])
  })

  it.each([
    ['a confirmed write is lost', 'updates', /the responses imply 'memos \d.*', the database has 'memos \d/],
    ['a transfer is written in several requests', 'transfers', /entries add up to \d+\./],
  ] as const)('finds a difference if %s', async (_title, sabotage, expected) => {
    expect(problemsOf(await runStorm({ ...QUICK, count: 600, sabotage }))).toMatch(expected)
  })

  it('leaves no processes when a signal ends it, not even suspended ones', async () => {
    const words = ['--require', join(ROOT, 'test/support/run-typescript.js'), join(ROOT, 'exams/storm/main.ts')]
    const storm = spawn(process.execPath, [...words, '--count', '1000000'], { stdio: 'ignore' })
    const servers = () => childrenOf(Number(storm.pid)).filter(isServer)
    // On a busy machine the program may need more than ten seconds for this.
    while (servers().length < 2 && storm.exitCode === null) await wait(50)
    const pids = servers()
    for (const pid of pids) sendSignal(pid, 'SIGSTOP')
    storm.kill('SIGTERM')
    expect(await once(storm, 'exit')).toEqual([null, 'SIGTERM'])
    await until('the servers have ended', () => !pids.some(isServer))
  })

  it.each([
    ['--faults kill-node', "The fault 'kill-node' is not possible with the topology 'processes' on sqlite."],
    ['--rounds 1', 'Expected at least 2 for --rounds'],
  ])('refuses %s', (text, message) => expect(() => read(text)).toThrow(message))
})
