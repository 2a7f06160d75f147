import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

type Sentence = Readonly<{ line: number; text: string; words: number }>

const ROOT = join(__dirname, '..', '..')
const SCRIPTS = join(ROOT, 'scripts')
const { RETIRED_NAMES } = require('../../scripts/language/phrases') as {
  readonly RETIRED_NAMES: Readonly<Record<string, string>>
}
const { sentencesOf } = require('../../scripts/language/sentences') as {
  sentencesOf(markdown: string): readonly Sentence[]
}

const words = (count: number) => Array.from({ length: count }, (_, index) => `word${index}`).join(' ')

describe('the command', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'stemma-language-'))
    execFileSync('git', ['init', '--quiet'], { cwd: folder })
    add('README.md', 'A plain sentence.\n')
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  function add(path: string, text: string): void {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
    execFileSync('git', ['add', path], { cwd: folder })
  }
  function run(...options: readonly string[]): { readonly status: number | null; readonly lines: readonly string[] } {
    const { status, stdout, stderr } = spawnSync('node', [join(SCRIPTS, 'check-language.js'), ...options], {
      cwd: folder,
      encoding: 'utf8',
    })
    return { status, lines: `${stdout}${stderr}`.trim().split('\n') }
  }

  it('finds nothing in plain text', () => expect(run()).toEqual({ status: 0, lines: ['1 files, 1 pages, 0 findings'] }))

  it.each([
    ['a phrase', 'x\n// Whoever calls.\n', 'Whoever', 2],
    [
      'a phrase that continues on the next line of a comment',
      '/**\n * It is told\n * of errors.\n */\n',
      'is told * of',
      2,
    ],
    ['a retired name', 'const found: WantedIndex[] = []\n', 'WantedIndex', 1],
  ])('reports %s', (_what, text, word, line) => {
    add('src/file.ts', text)
    const { status, lines } = run()
    expect(status).toBe(1)
    expect(lines[0]).toContain(`src/file.ts:${line}: '${word}'. Write instead: `)
    expect(lines).toHaveLength(2)
  })

  it('does not report a word that only contains a phrase or a name', () => {
    add('src/file.ts', 'const nobodyElse = createHttpReply()\n')
    expect(run().status).toBe(0)
  })

  it('reports sentences of more than 35 words, in pages only', () => {
    add('docs/page.md', `# Title\n\n${words(35)}.\n\n${words(36)}.\n`)
    add('src/README.md', `${words(36)}.\n`)
    const { status, lines } = run()
    expect(status).toBe(1)
    expect(lines).toEqual([expect.stringMatching(/^docs\/page\.md:5: 36 words, at most 35: word0/), expect.any(String)])
  })

  it('leaves out files that are binary, deleted, or not tracked', () => {
    add('image.bin', '\0 nobody')
    add('deleted.ts', '// nobody')
    rmSync(join(folder, 'deleted.ts'))
    writeFileSync(join(folder, 'untracked.ts'), '// nobody')
    expect(run().status).toBe(0)
  })

  it('fails when it has seen no page', () => {
    rmSync(join(folder, 'README.md'))
    expect(run()).toMatchObject({ status: 1, lines: ['0 files, 0 pages, 0 findings', expect.any(String)] })
  })

  it('prints the ten longest sentences of a file', () => {
    add('page.md', Array.from({ length: 12 }, (_, index) => `- ${words(index + 1)}\n`).join(''))
    const { status, lines } = run('--longest', 'page.md')
    expect(status).toBe(0)
    expect(lines).toHaveLength(11)
    expect(lines[0]).toMatch(/^page\.md:12: 12 words: /)
    expect(lines[10]).toBe('12 sentences, mean 6.5 words')
  })

  it.each([[['--longest']], [['--longest', 'missing.md']], [['--other']]])('rejects the arguments %j', (options) => {
    expect(run(...options).status).toBe(2)
  })
})

it('suggests names that exist', () => {
  const isInSource = (name: string) =>
    spawnSync('git', ['grep', '--quiet', '--fixed-strings', '--word-regexp', name, '--', 'src'], { cwd: ROOT })
      .status === 0
  expect(Object.values(RETIRED_NAMES).filter((name) => !isInSource(name))).toEqual([])
})

describe('sentences', () => {
  it('end with a full stop, a heading, a list item or a cell of a table', () => {
    const markdown =
      '# One\n\nTwo. Three\nfour? Five!\n\n- six\n  - seven\n- eight\n\n| nine | ten |\n|---|---|\n| eleven | twelve |\n'
    const sentences = sentencesOf(markdown).map(({ line, text }) => `${line} ${text}`)
    expect(sentences.join(', ')).toBe(
      '1 One, 3 Two., 3 Three four?, 4 Five!, 6 six, 7 seven, 8 eight, 10 nine, 10 ten, 12 eleven, 12 twelve',
    )
  })

  it('do not end within code, a number, a link or an abbreviation', () => {
    const markdown = "See [the page](page.md), `a. b`, 1.5 and e.g. it's."
    expect(sentencesOf(markdown)).toEqual([{ line: 1, text: "See the page, `a. b`, 1.5 and e.g. it's.", words: 8 }])
  })

  it('leave out blocks of code', () =>
    expect(sentencesOf('```ts\ncode()\n```\n\nText.\n')).toMatchObject([{ line: 5, text: 'Text.' }]))
})
