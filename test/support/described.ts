import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import type { AnySchemaObject, ValidateFunction } from 'ajv'
import Ajv from 'ajv/dist/2020'
import addFormats from 'ajv-formats'
import type { JsonApi, OpenApiDocument } from 'stemma'
import type { Exchange } from 'stemma/testing'

/** Holds exchanges against the OpenAPI document of the API that they were with. `body`: what was answered, for it was parsed before. */
export type CheckDescribed = (exchange: Exchange, body: unknown) => void

/**
 * What every answer must hold: its operation is described, with its status, its media type and its headers; its body is as the schema says, and
 * has no member besides. What was accepted is as the schema of requests says. Schemas are compiled when they are asked for.
 */
export function describedBy({ openApi }: Pick<JsonApi, 'openApi'>, mountPath: string): CheckDescribed {
  let judge: Judge | undefined
  return (exchange, body) => {
    judge ??= judgeOf(openApi())
    const mistakes = judge({ exchange, body, mountPath })
    if (mistakes.length === 0) return
    throw new Error(
      [`${exchange.method} ${exchange.url} -> ${exchange.status} is not as described:`, ...mistakes].join('\n  '),
    )
  }
}

interface Judged {
  readonly exchange: Exchange
  /** `undefined`: none. */
  readonly body: unknown
  readonly mountPath: string
}

type Judge = (judged: Judged) => readonly string[]

/** Many servers have the same document, in other files too: what is compiled for one is kept in the process. A third of the whole time otherwise. */
const KEPT = Symbol.for('stemma.described')
const kept = globalThis as { [KEPT]?: Map<string, Judge> }
kept[KEPT] ??= new Map()
const JUDGES = kept[KEPT]

function judgeOf(document: OpenApiDocument): Judge {
  const text = JSON.stringify(document)
  // The texts themselves would be most of what the process holds.
  const key = createHash('sha1').update(text).digest('hex')
  const known = JUDGES.get(key)
  if (known !== undefined) return known
  const judge = createJudge(JSON.parse(text))
  JUDGES.set(key, judge)
  return judge
}

// biome-ignore lint/suspicious/noExplicitAny: what is looked at is JSON of many shapes
type Any = any

function createJudge(document: Any): Judge {
  const findOperation = createFinder(document)
  const answers = createValidators(closed(document) as Any)
  const requests = createValidators(document)
  return ({ exchange, body, mountPath }) => {
    const { method, url, status } = exchange
    const { path, query } = splitUrl(url, mountPath)
    const found = findOperation(path, method.toLowerCase())
    // OPTIONS tells of every URL, of those too where nothing can be done.
    if (found === undefined) return status < 400 && method !== 'OPTIONS' ? ['No such operation is described.'] : []
    const { operation, pointer } = found
    return [
      ...judgeAnswer({ exchange, body }, { operation, pointer, document, validate: answers }),
      ...(status < 400 ? judgeRequest(exchange, { operation, pointer, document, validate: requests }) : []),
      ...(status < 400 ? judgeParameters(query, operation, document) : []),
    ]
  }
}

interface Found {
  readonly operation: Any
  /** Where in the document it is. */
  readonly pointer: string
}

interface Judging extends Found {
  readonly document: Any
  readonly validate: Validate
}

/** An application may have names for parts of the path of its API. */
function splitUrl(url: string, mountPath: string): { readonly path: string; readonly query: string } {
  const { pathname, search } = new URL(url, 'http://localhost')
  const above = mountPath.split('/').filter((segment) => segment !== '').length
  const [, ...segments] = pathname.replace(/\/$/, '').split('/')
  return { path: ['', ...segments.slice(above)].join('/'), query: search.slice(1) }
}

function createFinder({ paths }: Any): (path: string, method: string) => Found | undefined {
  const templates = Object.keys(paths).map((template) => ({
    template,
    segments: template.split('/').map((each) => (each === '{id}' ? undefined : decodeURIComponent(each))),
  }))
  return (path, method) => {
    const sent = path.split('/').map(decode)
    const matches = templates.find(
      ({ segments }) =>
        segments.length === sent.length && segments.every((each, index) => each === undefined || each === sent[index]),
    )
    const operation = matches && paths[matches.template][method]
    if (matches === undefined || operation === undefined) return undefined
    return { operation, pointer: `/paths/${escaped(matches.template)}/${method}` }
  }
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

function judgeAnswer(
  { exchange, body }: Pick<Judged, 'exchange' | 'body'>,
  { operation, pointer, document, validate }: Judging,
): readonly string[] {
  const { status, headers, method } = exchange
  const key = operation.responses[status] === undefined ? 'default' : String(status)
  const said = operation.responses[key]
  if (said === undefined || key === 'default') {
    const code = codeIn(body)
    if (said === undefined || status < 400 || isOfLibrary(code))
      return [`The status ${status} is not described (${code ?? 'no code'}).`]
  }
  const response = resolve(said, document)
  const place = said.$ref === undefined ? `${pointer}/responses/${key}` : said.$ref.slice(1)
  return [...judgeHeaders(headers, response), ...judgeBody({ body, method, headers }, { response, place, validate })]
}

/** Those of rules have other ones. */
function isOfLibrary(code: string | undefined): boolean {
  return code !== undefined && /^(?:header|url|query|document|operation|attribute|constraint)\./.test(code)
}

function codeIn(body: Any): string | undefined {
  return body?.errors?.[0]?.code
}

const HEADERS = [
  ...[
    'allow',
    'etag',
    'cache-control',
    'location',
    'content-location',
    'preference-applied',
    'retry-after',
    'server-timing',
  ],
]

function judgeHeaders(headers: Exchange['headers'], response: Any): readonly string[] {
  const known = new Set(Object.keys(response.headers ?? {}).map((name) => name.toLowerCase()))
  const stray = HEADERS.filter((name) => headerOf(headers, name) !== undefined && !known.has(name))
  return [...stray.map((name) => `The header ${name} is not described.`), ...judgeAllow(headers, response)]
}

function judgeAllow(headers: Exchange['headers'], response: Any): readonly string[] {
  const expected = response.headers?.Allow?.schema.const
  const found = headerOf(headers, 'allow')
  return found === expected ? [] : [`Allow is described as ${expected}, and is ${found}.`]
}

function headerOf(headers: Exchange['headers'], name: string): string | undefined {
  return (headers as Headers).get(name) ?? undefined
}

interface JudgedResponse {
  readonly response: Any
  readonly place: string
  readonly validate: Validate
}

function judgeBody(
  { body, method, headers }: Pick<Judged, 'body'> & Pick<Exchange, 'method' | 'headers'>,
  { response, place, validate }: JudgedResponse,
): readonly string[] {
  if (body === undefined) {
    const isMissing = response.content !== undefined && method !== 'HEAD'
    return isMissing ? ['A body is described, and none was sent.'] : []
  }
  const sent = headerOf(headers, 'content-type') ?? ''
  const type = findMediaType(sent, Object.keys(response.content ?? {}))
  if (type === undefined) return [`The media type ${sent} is not described.`]
  return validate(`${place}/content/${escaped(type)}/schema`, body)
}

function judgeRequest({ requestBody = '' }: Exchange, { operation, pointer, validate }: Judging): readonly string[] {
  const { content } = operation.requestBody ?? {}
  if (content === undefined || requestBody.length === 0) return []
  const [first = ''] = Object.keys(content)
  const text = textOf(requestBody)
  const mistakes = validate(`${pointer}/requestBody/content/${escaped(first)}/schema`, JSON.parse(text))
  return mistakes.map((mistake) => `accepted: ${mistake}`)
}

function textOf(body: string | Uint8Array): string {
  if (typeof body === 'string') return body
  const isPacked = body[0] === 0x1f && body[1] === 0x8b
  return new TextDecoder().decode(isPacked ? gunzipSync(body) : body)
}

/** Of several extensions of an application each is described, and not each choice of them. */
function findMediaType(sent: string, described: readonly string[]): string | undefined {
  if (described.includes(sent)) return sent
  const [, list = ''] = /;ext="([^"]*)"/.exec(sent) ?? []
  const uris = list.split(' ')
  if (uris.length < 2 || !uris.every((uri) => described.some((type) => type.includes(uri)))) return undefined
  return described.find((type) => type.includes(uris[0] ?? ''))
}

/** What was accepted has a place in the description; there are scopes without end. */
function judgeParameters(query: string, { parameters = [] }: Any, document: Any): readonly string[] {
  const known = parameters.map((each: Any) => resolve(each, document).name)
  const sent = [...new URLSearchParams(query).keys()]
  return sent.flatMap((name) => {
    const [family = ''] = name.split('[')
    if (!['filter', 'sort', 'include', 'fields', 'page'].includes(family)) return []
    const isScope = name.startsWith('filter[') || name.startsWith('sort[')
    return known.includes(name) || known.includes(family) || isScope ? [] : [`The parameter ${name} is not described.`]
  })
}

type Validate = (pointer: string, value: unknown) => readonly string[]

function createValidators(document: AnySchemaObject): Validate {
  const ajv = new Ajv({ strict: false, validateSchema: false, inlineRefs: false, code: { optimize: false } })
  addFormats(ajv)
  ajv.addSchema(document, 'api')
  const compiled = new Map<string, ValidateFunction>()
  return (pointer, value) => {
    const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `api#${encodeURI(pointer)}` })
    compiled.set(pointer, validate)
    if (validate(value)) return []
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    )
  }
}

/** Without room for members that are not described: whoever adds one to an answer describes it. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, closed(member)]))
  const isOpen = members.type === 'object' && members.properties !== undefined
  return isOpen ? { additionalProperties: false, ...members } : members
}

function resolve(value: Any, document: Any): Any {
  if (value.$ref === undefined) return value
  return value.$ref
    .slice(2)
    .split('/')
    .reduce((found: Any, name: string) => found[name], document)
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}
