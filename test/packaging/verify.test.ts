import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../support/until'

interface Step {
  readonly needs: readonly string[]
  readonly after: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly report?: string
  readonly shows?: RegExp
  readonly makes?: string
  readonly failsWhenEmpty?: string
}

const SCRIPTS = join(__dirname, '..', '..', 'scripts')
const { QUICK, STAGES } = require('../../scripts/checks/stages') as {
  readonly QUICK: readonly string[]
  readonly STAGES: Readonly<Record<string, { readonly purpose: string; readonly steps: readonly string[] }>>
}
const { quickOf, sampleOf, stepsWith, suiteOf } = require('../../scripts/checks/steps') as {
  quickOf(database: string): string
  sampleOf(database: string): string
  stepsWith(reports: string): Readonly<Record<string, Step>>
  suiteOf(database: string): string
}
const { runSteps } = require('../../scripts/checks/run-steps') as {
  runSteps(steps: readonly object[], logs: string, lanes: number): Promise<readonly { readonly outcome: string }[]>
}
const { DATABASES } = require('../../scripts/databases') as { readonly DATABASES: object }

describe('the table of steps', () => {
  const steps = stepsWith('build/reports')
  const staged = Object.values(STAGES).flatMap((stage) => stage.steps)

  it('says of each step how it shows that it has seen something', () => {
    const isSilent = ({ report, shows, makes, failsWhenEmpty }: Step) => !(report ?? shows ?? makes ?? failsWhenEmpty)
    expect(Object.values(steps).filter(isSilent)).toEqual([])
  })

  it('has every step that a stage, .ci/run or another step names', () => {
    const named = Object.values(steps).flatMap(({ needs, after }) => [...needs, ...after])
    expect([...staged, ...QUICK, ...named].filter((name) => steps[name] === undefined)).toEqual([])
  })

  it('has each step in one stage, but for parts of the suite', () => {
    const parts = ['quick scripts', ...Object.keys(DATABASES).flatMap((name) => [quickOf(name), sampleOf(name)])]
    const expected = Object.keys(steps).filter((name) => !parts.includes(name))
    expect([...staged].sort()).toEqual([...expected].sort())
  })

  it('has for .ci/run every database, as a whole or in part, once', () => {
    const runs = (name: string) =>
      QUICK.filter((step) => [suiteOf(name), quickOf(name), sampleOf(name)].includes(step)).length
    expect(Object.keys(DATABASES).filter((name) => runs(name) !== 1)).toEqual([])
  })

  it('sends more random input in the stages properties and fuzz, whatever the environment says', () => {
    expect([steps.properties, steps.fuzz].map((step) => step?.env?.STEMMA_RUNS)).toEqual(['4', '50'])
  })

  it('has for .ci/run everything that its steps need', () => {
    expect(QUICK.flatMap((name) => steps[name]?.needs ?? []).filter((name) => !QUICK.includes(name))).toEqual([])
  })
})

it('describes every stage in docs/internals/testing.md', () => {
  const page = readFileSync(join(SCRIPTS, '..', 'docs', 'internals', 'testing.md'), 'utf8')
  const described = [...page.matchAll(/^\| `(\w+)` \| .* \| .*\|$/gm)].map(([, name]) => name)
  expect(described).toEqual(Object.keys(STAGES))
})

describe('the scheduler', () => {
  const { log } = console
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'stemma-steps-'))
    console.log = () => undefined
  })
  afterEach(() => {
    console.log = log
    rmSync(folder, { recursive: true, force: true })
  })

  /** Notes when it starts and ends; between, it runs `meanwhile`. */
  function step(name: string, meanwhile: string, added: object = {}): object {
    const note = (what: string) => `fs.appendFileSync('${join(folder, 'notes')}', '${name} ${what}\\n')`
    const text = `${note('starts')}; ${meanwhile}; ${note('ends')}`
    return { name, command: [process.execPath, '-e', text], failsWhenEmpty: 'a test', ...added }
  }
  const untilNoted = (what: string) =>
    `while (!fs.readFileSync('${join(folder, 'notes')}', 'utf8').includes('${what}')) {}`
  const notes = () => readFileSync(join(folder, 'notes'), 'utf8').trim().split('\n')
  const outcomes = async (steps: readonly object[], lanes: number) =>
    (await runSteps(steps, join(folder, 'logs'), lanes)).map(({ outcome }) => outcome)

  it('runs steps side by side', async () => {
    const steps = [step('one', untilNoted('two starts')), step('two', untilNoted('one starts'))]
    expect(await outcomes(steps, 2)).toEqual(['passed', 'passed'])
  })

  it('runs no more steps at once than it has lanes', async () => {
    await outcomes([step('one', ''), step('two', ''), step('three', '')], 1)
    expect(notes()).toEqual(['one', 'two', 'three'].flatMap((name) => [`${name} starts`, `${name} ends`]))
  })

  it('runs a step alone that asks for it, and one after those that it waits for', async () => {
    const steps = [step('last', '', { after: ['alone'] }), step('alone', '', { alone: true }), step('first', '')]
    expect(await outcomes(steps, 2)).toEqual(['passed', 'passed', 'passed'])
    const at = notes().indexOf('alone starts')
    expect(notes()[at + 1]).toBe('alone ends')
    expect(notes().indexOf('last starts')).toBeGreaterThan(at)
  })

  it('reports steps that wait for each other', async () => {
    const steps = [step('one', '', { needs: ['two'] }), step('two', '', { needs: ['one'] })]
    await expect(outcomes(steps, 2)).rejects.toThrow('These steps wait for each other: one, two')
  })
})

describe('the programs', () => {
  let folder: string

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'stemma-verify-'))
    mkdirSync(join(folder, 'scripts'))
    for (const path of ['verify.js', 'ci.js', 'checks'])
      cpSync(join(SCRIPTS, path), join(folder, 'scripts', path), { recursive: true })
    write('.gitignore', 'build/\n')
    write(
      'scripts/checks/stages.js',
      `exports.QUICK = process.env.QUICK?.split(' ')
       exports.STAGES = {
         good: { purpose: 'passes', steps: ['seen', 'tested'] },
         bad: { purpose: 'fails', steps: ['broken', 'dependent'] },
         empty: { purpose: 'sees nothing', steps: ['unseen', 'untested'] },
         missing: { purpose: 'makes nothing', steps: ['unmade', 'unreported'] },
         red: { purpose: 'has a test that fails', steps: ['red'] },
         slow: { purpose: 'never ends', steps: ['slow'] },
         needy: { purpose: 'needs what exists already', steps: ['user'] },
         long: { purpose: 'takes long', steps: ['tested'], forRelease: true },
         other: { purpose: 'is judged by people', steps: ['seen'], onlyByName: true },
       }`,
    )
    write(
      'scripts/checks/steps.js',
      `const node = (text) => ['node', '-e', text]
       const jest = (name, numPassedTests, numFailedTests) => {
         const report = 'build/' + name + '.json'
         const text = JSON.stringify({ numPassedTests, numFailedTests })
         return { report, command: node("fs.writeFileSync('" + report + "', '" + text + "')") }
       }
       const STEPS = {
         seen: { command: node("console.log('2 files')"), shows: /[1-9] files/ },
         tested: { ...jest('tested', 3, 0), after: ['seen'] },
         broken: { command: node('process.exit(3)'), shows: /./ },
         dependent: { command: node(''), needs: ['broken'] },
         unseen: { command: node("console.log('0 files')"), shows: /[1-9] files/ },
         untested: jest('untested', 0, 0),
         unmade: { command: node(''), makes: 'build/unmade' },
         unreported: { command: node(''), report: 'build/unreported.json' },
         red: jest('red', 4, 1),
         slow: { command: ['bash', '-c', 'sleep 60 & sleep 60'], minutes: 0.005 },
         make: { command: node("console.log('made again')"), makes: 'scripts/ci.js', once: true, unless: 'quickly' },
         user: { command: node("console.log('used')"), needs: ['make'], shows: /used/ },
       }
       for (const name in STEPS) STEPS[name] = { name, needs: [], after: [], ...STEPS[name] }
       exports.stepsWith = (reports) => ({
         ...STEPS,
         passing: { name: 'passing', ...jest('ci/reports/passing', 3, 0) },
         failing: { name: 'failing', ...jest('ci/reports/failing', 3, 2) },
       })`,
    )
    git('init', '--quiet')
    git('add', '--all')
    git('-c', 'user.name=Ann', '-c', 'user.email=ann@example.org', 'commit', '--quiet', '--message', 'all')
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  function write(path: string, text: string): void {
    writeFileSync(join(folder, path), text)
  }

  function git(...words: readonly string[]): string {
    return execFileSync('git', words, { cwd: folder, encoding: 'utf8' }).trim()
  }

  function run(script: string, words: readonly string[], added: NodeJS.ProcessEnv = {}) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, 'scripts', script), ...words], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, ...added },
    })
    const table = stdout.slice(stdout.lastIndexOf('\nstage ')).split('\n')
    const rows = table.map((line) => line.trim().split(/ {2,}/))
    return { status, stdout, stderr, row: (name: string) => rows.find(([first]) => first === name) }
  }

  const verify = (...words: readonly string[]) => run('verify.js', words)
  const kept = () => JSON.parse(readFileSync(join(folder, 'build', 'verify', 'result.json'), 'utf8'))

  describe('npm run verify', () => {
    it.each([
      ['passes with stages that pass', 'good', ['passed', '3', '0'], 0],
      ['fails with a test that fails, also when the program passes', 'red', ['failed', '4', '1'], 1],
    ])('%s, and counts the tests', (_what, stage, [outcome, passed, failed], expected) => {
      const { status, row } = verify(stage)
      expect(row(stage)).toEqual([stage, outcome, expect.stringMatching(/^\d+$/), passed, failed])
      expect(status).toBe(expected)
    })

    it('fails with a stage that fails, and runs the others', () => {
      const { status, row, stderr } = verify('bad', 'good')
      expect(row('bad')?.[1]).toBe('failed')
      expect(row('good')?.[1]).toBe('passed')
      expect(stderr).toContain('broken: failed. It ended with 3.')
      expect(stderr).toContain("dependent: not run. It needs 'broken'.")
      expect(status).toBe(1)
    })

    it('fails with a stage that has seen nothing', () => {
      const { status, row, stderr } = verify('empty', 'missing')
      expect(row('empty')?.[1]).toBe('saw nothing')
      expect(row('missing')?.[1]).toBe('saw nothing')
      expect(stderr.match(/^\w+: saw nothing/gm)).toHaveLength(4)
      expect(status).toBe(1)
    })

    it('makes again what another step needs only if it was made quickly', () => {
      expect(verify('needy').stdout).not.toContain('made again')
      write('quickly', '')
      expect(verify('needy').stdout).toContain('made again')
    })

    it('ends a step that takes too long, with the programs that it has started', () => {
      const { status, stderr } = verify('slow')
      expect(stderr).toContain('slow: failed. It took more than 0.005 minutes.')
      expect(status).toBe(1)
    })

    it.each([
      ['good nope', /^Unknown stage: nope\..*good: passes/s],
      ['--release good', /^--release takes no other arguments, but got: good. Run one of them without the other.\n$/],
      ['--list good', /^--list takes no other arguments, but got: good. Run one of them without the other.\n$/],
    ])('refuses %s', (words, message) => {
      expect(verify(...words.split(' '))).toMatchObject({
        status: 2,
        stdout: '',
        stderr: expect.stringMatching(message),
      })
    })

    it('lists stages with their commands', () => {
      const { status, stdout } = verify('--list')
      expect(stdout).toMatch(/^bad: fails\n {4}node -e 'process\.exit\(3\)'$/m)
      expect(stdout).toContain('long: takes long (with --release)')
      expect(stdout).toContain('other: is judged by people (only when it is named)')
      expect(status).toBe(0)
    })

    it.each([
      ['without arguments all stages but those for a release or by name', [], undefined],
      ['for a release all stages but those by name', ['--release'], 'passed'],
    ])('runs %s', (_what, words, long) => {
      const { status, row } = verify(...words)
      expect(row('red')?.[1]).toBe('failed')
      expect(row('good')?.[1]).toBe('passed')
      expect(row('long')?.[1]).toBe(long)
      expect(row('other')).toBeUndefined()
      expect(status).toBe(1)
    })

    it('keeps which stages have passed on a commit, over several runs, and forgets them on another', () => {
      verify('good')
      verify('bad')
      expect(kept()).toMatchObject({
        commit: git('rev-parse', 'HEAD'),
        missing: ['bad', 'empty', 'missing', 'red', 'slow', 'needy', 'long'],
        stages: [
          { name: 'good', outcome: 'passed' },
          { name: 'bad', outcome: 'failed' },
        ],
      })
      write('new.txt', 'new')
      verify('bad')
      expect(kept()).toMatchObject({ commit: expect.stringMatching(/ with changes$/), stages: [{ name: 'bad' }] })
    })
  })

  describe('.ci/run', () => {
    const ci = (quick: string) => run('ci.js', [], { QUICK: quick })
    const lastLine = (text: string) => text.trimEnd().split('\n').at(-1)

    it('ends with the number of tests', () => {
      const { status, stdout } = ci('seen passing')
      expect(lastLine(stdout)).toBe('3 passed, 0 failed')
      expect(status).toBe(0)
    })

    it.each([
      ['a test fails', 'passing failing', '6 passed, 2 failed'],
      ['a step fails', 'passing broken', '3 passed, 0 failed'],
      ['a step has seen nothing', 'passing unseen', '3 passed, 0 failed'],
      ['no step runs a test', 'broken', '0 passed, 0 failed'],
      ['there is an unknown step', 'passing nope', '0 passed, 0 failed'],
    ])('fails when %s, and still ends with the number of tests', (_what, quick, expected) => {
      const { status, stdout } = ci(quick)
      expect(lastLine(stdout)).toBe(expected)
      expect(status).toBe(1)
    })

    it('ends its steps when it is interrupted', async () => {
      const started = join(folder, 'started')
      const slow = `exports.stepsWith = () => ({ slow: { name: 'slow', command: ['bash', '-c', 'echo $$ > ${started}; sleep 60'] } })`
      write('scripts/checks/steps.js', slow)
      const env = { ...process.env, QUICK: 'slow' }
      const running = spawn(process.execPath, [join(folder, 'scripts', 'ci.js')], { cwd: folder, env })
      const ended = once(running, 'exit')
      await until('the step has started', () => existsSync(started) && readFileSync(started, 'utf8') !== '')
      running.kill('SIGTERM')
      expect(await ended).toEqual([143, null])
      await until('the step has ended', () => !isRunning(Number(readFileSync(started, 'utf8'))))
    })
  })
})

/** A process that was killed is there until its parent has noticed. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
