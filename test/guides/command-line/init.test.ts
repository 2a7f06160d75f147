import { execFileSync, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { runCli } from '../../../src/cli/run-cli'
import { ROOT, run } from './support/run'

const textOf = (...path: readonly string[]) => readFileSync(join(...path), 'utf8')
const packageOf = (path: string) => JSON.parse(textOf(path, 'package.json'))
const own = packageOf(ROOT)
const { allCombinations, nameOf, optionsOf } = require(join(ROOT, 'scripts/projects/combinations.js'))
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stemma-init-'))
})
afterEach(() => rmSync(folder, { recursive: true }))
const init = (...words: readonly string[]) => run('init', '--no-install', ...words)
const filesOf = (path: string) =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(path.length + 1))

describe('stemma init', () => {
  it('creates a project, and prints the next steps', async () => {
    const target = join(folder, 'my-library')
    const { status, lines } = await init(target)
    expect(status).toBe(0)
    expect(lines[0]).toBe(`my-library is in ${target}. Next:`)
    expect(lines.slice(-3)).toEqual(['    npm install', '    npm test', '    npm start'])
    const names = ['author', 'book-definition', 'book', 'index', 'magazine', 'publication']
    expect(filesOf(target).toSorted()).toEqual([
      ...['.gitignore', 'README.md', 'jest.config.js', 'package.json', 'src/app.ts', 'src/configuration.ts'],
      ...['src/connection.ts', 'src/data-source.ts', 'src/environment.ts', 'src/main.ts'],
      ...names.map((name) => `src/resources/${name}.ts`),
      ...['test/api.test.ts', 'test/start-api.ts', 'test/test-data-source.ts', 'tsconfig.json'],
    ])
    expect(packageOf(target).name).toBe('my-library')
    expect(textOf(target, 'src/connection.ts')).toContain("'my_library.sqlite'")
  })

  it.each([
    [0, ['npm test', 'npm start'], ''],
    [
      1,
      ['npm install', 'npm test', 'npm start'],
      'The packages of api are not installed, because npm install failed in ',
    ],
  ])('runs npm install in the project, and exits with its status: %s', async (status, steps, error) => {
    const { PATH = '' } = process.env
    writeFileSync(join(folder, 'npm'), `#!/bin/sh\necho "$@" > arguments\nexit ${status}\n`, { mode: 0o755 })
    process.env.PATH = `${folder}${delimiter}${PATH}`
    const written = await run('init', join(folder, 'api')).finally(() => Object.assign(process.env, { PATH }))
    expect(textOf(folder, 'api', 'arguments')).toBe('install\n')
    expect([written.status, written.errors.slice(0, error.length)]).toEqual([status, error])
    const [first, ...lines] = written.output.split('\n')
    expect(first).toBe('npm installs the packages of api, which takes a minute or two.')
    expect(lines.slice(2, -1)).toEqual(steps.map((step) => `    ${step}`))
  })

  it('creates a project in a folder with only a .git folder', async () => {
    mkdirSync(join(folder, '.git'))
    expect((await init(folder, '--name', '@people/api')).status).toBe(0)
    expect(packageOf(folder).name).toBe('@people/api')
    expect(textOf(folder, 'README.md')).toMatch(/^# @people\/api\n.*`api.sqlite`/s)
  })

  it('asks for the parts in an interactive terminal, until an answer is a choice or its beginning', async () => {
    const questions: string[] = []
    const answers = ['oracle', 'PostgreS', 'v', '', 'yes', 'n']
    const ask = async (question: string) => answers[questions.push(question) - 1] ?? ''
    const terminal = { writeOutput: () => {}, writeError: () => {}, ask }
    expect(await runCli(['init', folder, '--name', 'asked', '--no-install'], terminal)).toBe(0)
    expect(questions.slice(0, 2)).toEqual(Array(2).fill('Database (sqlite, postgres, mariadb) [sqlite]: '))
    expect(Object.keys(packageOf(folder).dependencies).join()).toBe('express,pg,reflect-metadata,stemma,typeorm')
    expect(packageOf(folder).scripts).toMatchObject({ test: 'vitest run', token: expect.any(String) })
    expect(filesOf(folder)).not.toContain('src/migrations/index.ts')
    for (const option of ['--auth', '-y'])
      await runCli(['init', join(folder, option), '--no-install', '--name', 'b', option], terminal)
    expect(questions).toHaveLength(answers.length)
  })

  it('writes secrets that Git ignores, others for each project', async () => {
    for (const name of ['a', 'b']) await init(join(folder, name), '--auth')
    const [one, other] = ['a', 'b'].map((name) => textOf(folder, name, '.env'))
    const secretsOf = (env = '') => [...env.matchAll(/^(?:TOKEN|ETAG)_SECRET=(\w{64})$/gm)].map(([, secret]) => secret)
    expect(new Set([...secretsOf(one), ...secretsOf(other)]).size).toBe(4)
    expect(textOf(folder, 'a', '.gitignore').split('\n')).toContain('.env')
  })

  it('reads .env in all programs, if it exists', async () => {
    await init(folder, '--name', 'api', '--auth', '--migrations')
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    const program = ['--require', join(ROOT, 'test/support/run-typescript.js'), '--print']
    const database = () =>
      execFileSync(process.execPath, [...program, "require('./src/data-source').dataSource.options.database"], {
        cwd: folder,
        env: { ...process.env, NODE_ENV: 'production' },
        encoding: 'utf8',
      }).trim()
    appendFileSync(join(folder, '.env'), 'DATABASE_FILE=other.sqlite\n')
    expect(database()).toBe('other.sqlite')
    rmSync(join(folder, '.env'))
    expect(database()).toBe('api.sqlite')
    expect(JSON.stringify(packageOf(folder).scripts)).not.toContain('env-file')
  })

  it.each([
    ['is not set', ''],
    ['has fewer than 16 characters', 'TOKEN_SECRET=short\n'],
  ])('creates an application that does not start if TOKEN_SECRET %s', async (mistake, env) => {
    await init(folder, '--name', 'api', '--auth')
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    writeFileSync(join(folder, '.env'), env)
    const program = ['--require', join(ROOT, 'test/support/run-typescript.js'), 'src/main']
    const { TOKEN_SECRET: _none, ...others } = process.env
    const settings = { cwd: folder, env: { ...others, NODE_ENV: 'production', PORT: '0' }, timeout: 20_000 } as const
    const { status, stderr } = spawnSync(process.execPath, program, { ...settings, encoding: 'utf8' })
    expect(stderr).toBe(
      `TOKEN_SECRET ${mistake}. It is read from the environment and from .env in ${folder}. Set it there to random characters, as of: openssl rand -hex 32\n`,
    )
    expect(status).toBe(1)
  })

  it('refuses a folder with files', async () => {
    writeFileSync(join(folder, 'notes.txt'), 'mine')
    const { status, lines } = await init(folder, '--name', 'api')
    const message = `${folder} is not empty: it has notes.txt. Choose a new or empty folder.`
    expect({ status, lines }).toEqual({ status: 1, lines: [message] })
    expect(filesOf(folder)).toEqual(['notes.txt'])
  })

  it('refuses the path of a file', async () => {
    const file = join(folder, 'notes')
    writeFileSync(file, 'mine')
    expect(await init(file)).toMatchObject({ status: 1, lines: [`${file} is a file. Choose a new or empty folder.`] })
    expect(readFileSync(file, 'utf8')).toBe('mine')
  })

  it.each<[string, readonly string[], RegExp]>([
    ['two folders', ['a', 'b'], /^error: too many arguments for 'init'/],
    ['an unknown option', ['a', '--nmae', 'b'], /--nmae/],
    ['an unknown choice', ['a', '--database', 'oracle'], /oracle' is invalid. Allowed choices are sqlite, postgres, /],
    ['an invalid package name', ['a', '--name', 'My Library'], /^'My Library' is not a valid package name/],
    ['a folder whose name is no valid package name', ['My Library'], /^'My Library' is not a valid package name/],
  ])('exits with 2 for %s', async (_what, words, message) => {
    const { status, lines } = await init(...words.map((word) => (word === 'a' ? join(folder, word) : word)))
    expect(status).toBe(2)
    expect(lines[0]).toMatch(message)
    expect(existsSync(join(folder, 'a'))).toBe(false)
  })
})

describe('the created project', () => {
  it('depends on this version and the packages it is tested with, and its README names existing files', async () => {
    for (const combination of allCombinations()) {
      const project = join(folder, nameOf(combination))
      await init(project, ...optionsOf(combination))
      const { dependencies, devDependencies } = packageOf(project)
      const { stemma, ...others } = { ...dependencies, ...devDependencies }
      expect(stemma).toBe(`^${own.version}`)
      const known = Object.keys(others).filter((name) => !/nestjs|rxjs|vitest/.test(name))
      expect(others).toMatchObject(Object.fromEntries(known.map((name) => [name, `^${own.devDependencies[name]}`])))
      const named = [...textOf(project, 'README.md').matchAll(/`((?:src|test)\/[\w./-]+\.ts)`/g)]
      expect(named.filter(([, path = '']) => !existsSync(join(project, path)))).toEqual([])
      expect(filesOf(project).filter((path) => textOf(project, path).includes('__'))).toEqual([])
    }
  })
})
