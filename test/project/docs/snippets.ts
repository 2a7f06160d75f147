import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const ROOT = join(__dirname, '..', '..', '..')

/**
 * A page whose snippets are run in order:
 * - `ts run`: a program, type-checked and started. It receives the requests that follow.
 * - `http run`: a request.
 * - `http response`: the expected status line, headers, and body of the previous request. Without a body any body passes.
 * - `ts client`: a program with requests to `http://localhost:3000` that ends with `void main()`.
 * - `text output`: the expected output of the previous program.
 * - `http brief`: requests, each with `->` and the identifiers in its response, or its errors with their status.
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
  /** Empty for a message without a body. */
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
