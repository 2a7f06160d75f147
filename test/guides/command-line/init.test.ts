import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { run } from './support/run'

const ROOT = join(__dirname, '..', '..', '..')
const own = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

const project = join(ROOT, 'templates', 'project')

/** What the tests of the created project print. They run beside the tests of this file. */
let printed: Promise<{ readonly stdout: string }>
let folderOfProject: string
beforeAll(() => {
  folderOfProject = mkdtempSync(join(tmpdir(), 'stemma-init-'))
  const program = ['--require', join(ROOT, 'test/support/run-typescript.js'), join(project, 'test/api.test.ts')]
  const env = { ...process.env, TEST_TYPEORM: '1' }
  printed = promisify(execFile)(process.execPath, program, { cwd: folderOfProject, env })
  // A failure is that of the test that awaits it.
  printed.catch(() => {})
})
afterAll(async () => {
  await printed.catch(() => {})
  rmSync(folderOfProject, { recursive: true })
})

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stemma-init-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const init = (...words: readonly string[]) => run('init', ...words)
const filesOf = (path: string) => readdirSync(path, { recursive: true, encoding: 'utf8' }).toSorted()
const packageOf = (path: string) => JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))

describe('stemma init', () => {
  it('creates a project, and prints the next steps', async () => {
    const target = join(folder, 'my-library')
    const { status, lines } = await init(target)
    expect(status).toBe(0)
    expect(lines[0]).toBe(`my-library is in ${target}. Next:`)
    expect(lines.slice(-3)).toEqual(['    npm install', '    npm test', '    npm start'])
    expect(filesOf(target)).toEqual([
      ...['.gitignore', 'README.md', 'package.json', 'src', 'src/app.ts', 'src/configuration.ts', 'src/main.ts'],
      ...['src/resources', 'src/resources/author.ts', 'src/resources/book-definition.ts', 'src/resources/book.ts'],
      ...['src/resources/magazine.ts', 'src/resources/publication.ts', 'test', 'test/api.test.ts', 'tsconfig.json'],
    ])
    expect(packageOf(target).name).toBe('my-library')
  })

  it('creates a project in a folder with only a .git folder', async () => {
    mkdirSync(join(folder, '.git'))
    expect((await init(folder, '--name', '@people/api')).status).toBe(0)
    expect(packageOf(folder).name).toBe('@people/api')
  })

  it('refuses a folder with files', async () => {
    writeFileSync(join(folder, 'notes.txt'), 'mine')
    const { status, lines } = await init(folder, '--name', 'api')
    expect({ status, lines }).toEqual({
      status: 1,
      lines: [`${folder} is not empty: it has notes.txt. Choose a new or empty folder.`],
    })
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
  it('depends on this version and the packages it is tested with', () => {
    const { dependencies, devDependencies } = packageOf(project)
    const { stemma, ...others } = { ...dependencies, ...devDependencies }
    expect(stemma).toBe(`^${own.version}`)
    const expected = Object.keys(others).map((name) => [name, `^${own.devDependencies[name]}`])
    expect(others).toEqual(Object.fromEntries(expected))
    expect(Object.keys(others)).toHaveLength(7)
  })

  it('has a README of five items that names existing files', () => {
    const text = readFileSync(join(project, 'README.md'), 'utf8')
    const named = [...text.matchAll(/`((?:src|test)\/[\w./-]+)`/g)].map(([, path = '']) => path)
    expect(text.match(/^(?:# |- )/gm)).toHaveLength(5)
    expect(named.length).toBeGreaterThan(2)
    expect(named.filter((path) => !existsSync(join(project, path)))).toEqual([])
  })

  it('passes its own tests', async () => {
    expect((await printed).stdout).toContain('# pass 2\n# fail 0\n')
  })
})
