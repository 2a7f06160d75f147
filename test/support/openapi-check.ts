import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import type { AnySchemaObject, ValidateFunction } from 'ajv'
import Ajv from 'ajv/dist/2020'
import addFormats from 'ajv-formats'
import type { JsonApi, OpenApiDocument } from 'stemma'
import type { Exchange } from 'stemma/testing'
import type { Any } from './any'

/** Checks exchanges against the OpenAPI document of their API. `body`: the parsed response body. */
export type OpenApiCheck = (exchange: Exchange, body: unknown) => void

/**
 * Creates the check of every response: its operation, status, media type and headers are described, and its body matches the schema without
 * additional members. The body of a successful request must match the schema of requests. Schemas are compiled on demand.
 */
export function createOpenApiCheck({ openApi }: Pick<JsonApi, 'openApi'>, mountPath: string): OpenApiCheck {
  let validate: ExchangeValidator | undefined
  return (exchange, body) => {
    validate ??= findValidator(openApi())
    const mistakes = validate({ exchange, body, mountPath })
    if (mistakes.length === 0) return
    throw new Error(
      [
        `${exchange.method} ${exchange.url} -> ${exchange.status} differs from its OpenAPI description:`,
        ...mistakes,
      ].join('\n  '),
    )
  }
}

interface ValidatedExchange {
  readonly exchange: Exchange
  /** `undefined` for an empty body. */
  readonly body: unknown
  readonly mountPath: string
}

type ExchangeValidator = (judged: ValidatedExchange) => readonly string[]

/** Many files start the same API, so this caches the schemas by description. */
const VALIDATORS_KEY = Symbol.for('stemma.judges')
const known = globalThis as { [VALIDATORS_KEY]?: Map<string, ExchangeValidator> }
known[VALIDATORS_KEY] ??= new Map()
const VALIDATORS = known[VALIDATORS_KEY]

function findValidator(document: OpenApiDocument): ExchangeValidator {
  const digest = digestOf(JSON.stringify(document))
  const validator = VALIDATORS.get(digest) ?? createExchangeValidator(document)
  VALIDATORS.set(digest, validator)
  return validator
}

function createExchangeValidator(document: Any): ExchangeValidator {
  assertValidSchemas(document)
  const findOperation = createFinder(document)
  const validateResponseSchema = createValidate(document, 'closed')
  const validateRequestSchema = createValidate(document, 'open')
  return ({ exchange, body, mountPath }) => {
    const { method, url, status } = exchange
    const { path, query } = splitUrl(url, mountPath)
    const found = findOperation(path, method.toLowerCase())
    // OPTIONS describes every URL, also those without methods.
    if (found === undefined) return status < 400 && method !== 'OPTIONS' ? ['No such operation is described.'] : []
    return [
      ...validateResponse({ exchange, body }, { operation: found, document, validate: validateResponseSchema }),
      ...(status < 400
        ? validateRequest(exchange, { operation: found, document, validate: validateRequestSchema })
        : []),
      ...(status < 400 ? validateParameters(query, found, document) : []),
    ]
  }
}

/** Checks every schema, also those that no exchange uses. */
function assertValidSchemas({ components }: Any): void {
  const parameters = Object.values<Any>(components.parameters ?? {}).map(({ schema }) => schema)
  for (const schema of [...Object.values<Any>(components.schemas), ...parameters]) AJV.validateSchema(schema, true)
}

type ResponseContext = Readonly<{ operation: Any; document: Any; validate: Validate }>

/** The mount path of an API may contain parameters. */
function splitUrl(url: string, mountPath: string): { readonly path: string; readonly query: string } {
  const { pathname, search } = new URL(url, 'http://localhost')
  const mountDepth = mountPath.split('/').filter((segment) => segment !== '').length
  const [, ...segments] = pathname.replace(/\/$/, '').split('/')
  return { path: ['', ...segments.slice(mountDepth)].join('/'), query: search.slice(1) }
}

function createFinder({ paths }: Any): (path: string, method: string) => Any {
  const templates = Object.keys(paths).map((template) => ({
    template,
    segments: template.split('/').map((each) => (each === '{id}' ? undefined : decodeURIComponent(each))),
  }))
  return (path, method) => {
    const sent = path.split('/').map(decode)
    const matches = templates.find(
      ({ segments }) =>
        segments.length === sent.length &&
        segments.every((each, index) => (each === undefined ? sent[index] !== '' : each === sent[index])),
    )
    return matches && paths[matches.template][method]
  }
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

function validateResponse(
  { exchange, body }: Pick<ValidatedExchange, 'exchange' | 'body'>,
  { operation, document, validate }: ResponseContext,
): readonly string[] {
  const { status, headers } = exchange
  const key = operation.responses[status] === undefined ? 'default' : String(status)
  const description = operation.responses[key]
  if (description === undefined || key === 'default') {
    const { code = 'no code' } = (body as Any)?.errors?.[0] ?? {}
    if (description === undefined || status < 400 || LIBRARY_CODE.test(code))
      return [`The status ${status} is not described (${code}).`]
  }
  const response = resolve(description, document)
  return [...validateHeaders(headers, response), ...validateBody(body, exchange, response, validate)]
}

/** Error codes of the library. Codes of an application start differently. */
const LIBRARY_CODE = /^(?:header|url|query|document|operation|attribute|constraint)\./

const HEADERS = [
  ...['allow', 'etag', 'cache-control', 'location', 'content-location', 'preference-applied', 'retry-after'],
  'server-timing',
]

function validateHeaders(headers: Exchange['headers'], response: Any): readonly string[] {
  const known = new Set(Object.keys(response.headers ?? {}).map((name) => name.toLowerCase()))
  const undescribed = HEADERS.filter((name) => headerOf(headers, name) !== undefined && !known.has(name))
  const [expected, found] = [response.headers?.Allow?.schema.const, headerOf(headers, 'allow')]
  return [
    ...undescribed.map((name) => `The header ${name} is not described.`),
    ...(found === expected ? [] : [`Allow is described as ${expected}, but is ${found}.`]),
  ]
}

function headerOf(headers: Exchange['headers'], name: string): string | undefined {
  return (headers as Headers).get(name) ?? undefined
}

function validateBody(body: unknown, exchange: Exchange, response: Any, validate: Validate): readonly string[] {
  if (body === undefined) {
    const isMissing = response.content !== undefined && exchange.method !== 'HEAD'
    return isMissing ? ['A body is described, but none was sent.'] : []
  }
  const sent = headerOf(exchange.headers, 'content-type') ?? ''
  const type = findMediaType(sent, Object.keys(response.content ?? {}))
  if (type === undefined) return [`The media type ${sent} is not described.`]
  return validate(response.content[type].schema, body)
}

function validateRequest({ requestBody = '' }: Exchange, { operation, validate }: ResponseContext): readonly string[] {
  const { content } = operation.requestBody ?? {}
  if (content === undefined || requestBody.length === 0) return []
  const [first = ''] = Object.keys(content)
  const mistakes = validate(content[first].schema, JSON.parse(textOf(requestBody)))
  return mistakes.map((mistake) => `The accepted request differs from its description: ${mistake}`)
}

function textOf(body: string | Uint8Array): string {
  if (typeof body === 'string') return body
  return new TextDecoder().decode(body[0] === 0x1f && body[1] === 0x8b ? gunzipSync(body) : body)
}

/** Each extension of an application is described, but not every combination. */
function findMediaType(sent: string, described: readonly string[]): string | undefined {
  if (described.includes(sent)) return sent
  const [, list = ''] = /;ext="([^"]*)"/.exec(sent) ?? []
  const uris = list.split(' ')
  if (uris.length < 2 || !uris.every((uri) => described.some((type) => type.includes(uri)))) return undefined
  return described.find((type) => type.includes(uris[0] ?? ''))
}

/** Parameters of accepted requests must be described, except scopes, because their number is unlimited. */
function validateParameters(query: string, { parameters = [] }: Any, document: Any): readonly string[] {
  const known = parameters.map((each: Any) => resolve(each, document).name)
  const sent = [...new URLSearchParams(query).keys()]
  return sent.flatMap((name) => {
    const [family = ''] = name.split('[')
    if (!['filter', 'sort', 'include', 'fields', 'page'].includes(family)) return []
    const isScope = name.startsWith('filter[') || name.startsWith('sort[')
    return known.includes(name) || known.includes(family) || isScope ? [] : [`The parameter ${name} is not described.`]
  })
}

type Validate = (schema: AnySchemaObject, value: unknown) => readonly string[]

/** `closed` rejects undescribed members, as for responses. */
type Strictness = 'closed' | 'open'

function createValidate(document: Any, strictness: Strictness): Validate {
  const compiled = new Map<AnySchemaObject, ValidateFunction>()
  const compile = createCompiler(document, strictness)
  return (schema, value) => {
    const validate = compiled.get(schema) ?? compile(schema)
    compiled.set(schema, validate)
    if (validate(value)) return []
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    )
  }
}

/** Compiles each schema once per process, because most test files use the same schemas. */
const AJV_KEY = Symbol.for('stemma.described')
const globals = globalThis as { [AJV_KEY]?: Ajv }
globals[AJV_KEY] ??= addFormats(
  // `assertValidSchemas` has validated them.
  new Ajv({ strict: false, validateSchema: false, inlineRefs: false, code: { optimize: false } }),
) as Ajv
const AJV = globals[AJV_KEY]
const REFERENCE = /"\$ref":"#\/components\/schemas\/([^"]+)"/g

/** The name of a schema is a digest of its text and of all components that it refers to. */
function createCompiler({ components }: Any, strictness: Strictness): (schema: AnySchemaObject) => ValidateFunction {
  const texts = new Map<string, SchemaText>()
  const names = new Map<SchemaText, string>()
  const textOfComponent = (component: string): SchemaText => {
    const text = texts.get(component) ?? readText(components.schemas[component])
    texts.set(component, text)
    return text
  }
  const nameOf = (text: SchemaText): string => {
    const name = names.get(text) ?? `${strictness}-${digestOf(text.digest + digestOfReferences(text))}`
    if (names.has(text)) return name
    // Registered before its references, because these may refer back to it.
    names.set(text, name)
    if (AJV.schemas[name] === undefined) AJV.addSchema(parse(text), name)
    return name
  }
  const digestOfReferences = ({ references }: SchemaText): string => {
    const reached = new Set(references)
    for (const each of reached) for (const next of textOfComponent(each).references) reached.add(next)
    return [...reached].map((each) => ` ${each} ${textOfComponent(each).digest}`).join('')
  }
  const parse = ({ text }: SchemaText): AnySchemaObject => {
    const schema = JSON.parse(
      text.replaceAll(REFERENCE, (_, component) => `"$ref":"${nameOf(textOfComponent(component))}"`),
    )
    return (strictness === 'closed' ? withoutAdditionalMembers(schema) : schema) as AnySchemaObject
  }
  return (schema) => AJV.getSchema(nameOf(readText(schema))) as ValidateFunction
}

interface SchemaText {
  readonly text: string
  readonly digest: string
  /** Returns the components that a schema refers to. */
  readonly references: readonly string[]
}

function readText(schema: AnySchemaObject): SchemaText {
  const text = JSON.stringify(schema)
  const references = [...text.matchAll(REFERENCE)].map(([, component = '']) => component)
  return { text, digest: digestOf(text), references }
}

function digestOf(text: string): string {
  return createHash('sha1').update(text).digest('hex')
}

/** Allows no members besides the described ones, so that a new member of a response must be described. */
function withoutAdditionalMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutAdditionalMembers)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, withoutAdditionalMembers(member)]),
  )
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
