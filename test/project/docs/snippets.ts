import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const ROOT = join(__dirname, '..', '..', '..')

/**
 * A page whose snippets are run, in their order:
 * - `ts run`: a program, type-checked and started. When it listens, the requests behind it go to it, whatever port it names.
 * - `http run`: a request.
 * - `http response`: what the request before it must be answered with: the status line, the headers that are shown, and the whole body
 *   (none shown: any).
 * - `ts client`: a program that asks the server by `http://localhost:3000`, and ends with `void main()`.
 * - `text output`: what the program before it has printed.
 * - `http brief`: requests, each with its answer in brief behind an arrow: the identifiers of the primary data and of what is included, or
 *   each mistake with its status.
 */
export interface Page {
  /** From the root of the project. */
  readonly path: string
  readonly text: string
  readonly snippets: readonly Snippet[]
}

export interface Snippet {
  readonly kind: 'ts run' | 'ts client' | 'text output' | 'http run' | 'http response' | 'http brief'
  readonly text: string
  readonly line: number
}

export interface HttpMessage {
  readonly startLine: string
  readonly headers: ReadonlyMap<string, string>
  /** Empty where there is none. */
  readonly body: string
}

export interface BriefExchange {
  readonly startLine: string
  /** `men 1, women 2; included: women 4`, or `400 Expected …`. */
  readonly answers: readonly string[]
}

export function readPages(): Page[] {
  const docs = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).map((path) => join('docs', path))
  const paths = ['README.md', 'CONTRIBUTING.md', ...docs.filter((path) => path.endsWith('.md')).sort()]
  return paths.map((path) => {
    const text = readFileSync(join(ROOT, path), 'utf8')
    return { path, text, snippets: snippetsIn(text) }
  })
}

function snippetsIn(text: string): Snippet[] {
  return [...text.matchAll(/^```(ts run|ts client|text output|http run|http response|http brief)\n(.*?)^```$/gms)].map(
    ([, kind, snippet = ''], index, all) => ({
      kind: kind as Snippet['kind'],
      text: snippet,
      line: text.slice(0, all[index]?.index).split('\n').length,
    }),
  )
}

export function parseMessage(text: string): HttpMessage {
  const [head = '', ...body] = text.split('\n\n')
  const [startLine = '', ...headers] = head.trimEnd().split('\n')
  return {
    startLine,
    headers: new Map(
      headers.map((line) => [line.slice(0, line.indexOf(':')).trim(), line.slice(line.indexOf(':') + 1).trim()]),
    ),
    body: body.join('\n\n').trim(),
  }
}

/** `GET /men/1`, and below it `-> men 1`. */
export function parseBrief(text: string): readonly BriefExchange[] {
  const exchanges: { startLine: string; answers: string[] }[] = []
  for (const line of text.split('\n').filter((each) => each !== '')) {
    if (line.startsWith('-> ')) exchanges.at(-1)?.answers.push(line.slice(3))
    else exchanges.push({ startLine: line, answers: [] })
  }
  return exchanges
}
