// Checks that every regular expression of the library takes linear time: `npm run check:patterns`. Parses src to find the literals; recheck
// judges them. Patterns that are built at run time are listed here.
const { readdirSync, readFileSync } = require('node:fs')
const { join } = require('node:path')
const { parseSync } = require('@swc/core')

/** Runs in this process, without Java or a native binary. */
process.env.RECHECK_SYNC_BACKEND = 'pure'
const { checkSync } = require('recheck')

const SRC = join(__dirname, '..', 'src')
const MIN_PATTERNS = 100
/** Milliseconds for each pattern. */
const TIMEOUT = 20_000

const NAME = '[a-zA-Z\\d\\u0080-\\uffff](?:[-\\w \\u0080-\\uffff]*[a-zA-Z\\d\\u0080-\\uffff])?'
const LETTER = 'a-zA-Z0-9\\u{80}-\\u{D7FF}\\u{E000}-\\u{10FFFF}'
/** The arguments of `new RegExp`, by file. `[]`: a literal with other flags, or code that is not part of a server. */
const RUNTIME_PATTERNS = {
  'query/parameters/recognize-query-parameter.ts': [
    [NAME, 'y'],
    [`(?:\\[(?:${NAME}(?:[.:]${NAME})*)?\\])*`, 'y'],
  ],
  'document/member-names.ts': [[`^[${LETTER}](?:[${LETTER}_-]*[${LETTER}])?$`, 'u']],
  'request/body/parse-request-document.ts': [],
  // Part of `stemma/testing`, which reads the developer's own responses.
  'testing/lint-links.ts': [],
}
/** Patterns that recheck cannot judge, with the reason why they are safe. */
const EXCUSED = {
  "/(?:column|field) (?:`[^`]+`\\.`[^`]+`\\.)?[`']([^`']+)[`']/i":
    'reads messages of MySQL and MariaDB, which end after 512 bytes',
}
/** Control: recheck must give these verdicts. */
const CONTROLS = [
  ['(a+)+$', '', 'vulnerable'],
  ['0+$', '', 'vulnerable'],
  ['^0+', '', 'safe'],
]

function main() {
  for (const [source, flags, expected] of CONTROLS) {
    const { status } = checkSync(source, flags)
    if (status !== expected) throw new Error(`The checker calls /${source}/ ${status}, expected ${expected}.`)
  }
  const files = readdirSync(SRC, { recursive: true }).filter((path) => path.endsWith('.ts'))
  const found = files.flatMap(patternsOf)
  const literals = found.filter(({ source }) => source !== undefined)
  if (literals.length < MIN_PATTERNS)
    throw new Error(`Expected at least ${MIN_PATTERNS} regular expressions, found ${literals.length}.`)
  const made = [...new Set(found.filter(({ source }) => source === undefined).map(({ path }) => path))]
  const unlisted = made.filter((path) => !Object.hasOwn(RUNTIME_PATTERNS, path))
  if (unlisted.length > 0)
    throw new Error(`Built at run time, but not listed in scripts/check-patterns.js: ${unlisted.join(', ')}.`)
  const listed = Object.entries(RUNTIME_PATTERNS).flatMap(([path, list]) =>
    list.map(([source, flags]) => ({ path, source, flags })),
  )
  const excused = Object.keys(EXCUSED).filter(
    (each) => !literals.some(({ source, flags }) => `/${source}/${flags}` === each),
  )
  if (excused.length > 0) throw new Error(`Excused patterns that do not exist: ${excused.join(', ')}.`)
  const once = new Map([...literals, ...listed].map((each) => [`/${each.source}/${each.flags}`, each]))
  const judged = [...once].filter(([text]) => !Object.hasOwn(EXCUSED, text))
  const slow = judged.flatMap(([, each]) => judge(each))
  const counts = [`${judged.length} regular expressions in ${files.length} files`, `${slow.length} that are not linear`]
  console.log(`${counts.join(', ')}, ${once.size - judged.length} excused.`)
  if (slow.length > 0) throw new Error(slow.join('\n'))
}

function patternsOf(path) {
  const { body } = parseSync(readFileSync(join(SRC, path), 'utf8'), {
    syntax: 'typescript',
    decorators: true,
    target: 'es2022',
  })
  const found = []
  const walk = (node) => {
    if (node === null || typeof node !== 'object') return
    if (node.type === 'RegExpLiteral') found.push({ path, source: node.pattern, flags: node.flags })
    if (node.type === 'NewExpression' && node.callee.value === 'RegExp') found.push({ path })
    for (const each of Object.values(node)) walk(each)
  }
  walk(body)
  return found
}

function judge({ path, source, flags }) {
  const { status, complexity, attack, error } = checkSync(source, flags, { timeout: TIMEOUT })
  if (status === 'safe') return []
  const why = status === 'vulnerable' ? `${complexity.summary}: ${attack.pattern}` : error.kind
  return [`src/${path} /${source}/${flags}: ${why}`]
}

main()
