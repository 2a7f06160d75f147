import type { OutgoingRequest, ParsedApiUrl } from '../core/api-types'
import { API_ROOT_URL, parseApiUrl } from '../core/api-url'
import type { ExplorerApiModel } from '../core/explorer-api-model'
import { toOperationsCode } from './client-operations'
import { queryStringToTypedClientOptions, withEmptyIncludesAsTrue } from './client-query'
import { omitEmptyMembers, resourceObjectToClientWriteValues } from './client-values'
import { loadSavedCredentialHeadersMasked } from './fetch-code'
import { printJavaScriptString, printJavaScriptValue } from './print-javascript-value'

/** Prints a request as calls of the typed client. Credentials are masked. */
export function printRequestAsClientCode(request: OutgoingRequest, model: ExplorerApiModel): string {
  const imports = new Set(['createClient'])
  const address = parseApiUrl(request.url)
  const call = address === undefined ? '' : printRequest(request, address, model, imports)
  const headers = loadSavedCredentialHeadersMasked()
  const options = {
    baseUrl: API_ROOT_URL.href.replace(/\/$/, ''),
    headers: Object.keys(headers).length === 0 ? undefined : headers,
    operationsPath: operationsOption(request, model),
  }
  return [
    `import { ${[...imports].toSorted().join(', ')} } from 'stemma/client'`,
    '',
    '// Api: the resource types of the server, from InferApi.',
    `const client = createClient<Api>(${printJavaScriptValue(options)})`,
    call,
  ].join('\n')
}

/** The client needs the path of the endpoint only if it is not the default. */
function operationsOption({ url }: OutgoingRequest, { operationsPath }: ExplorerApiModel): string | undefined {
  const isUsed = operationsPath !== undefined && parseApiUrl(url)?.type === operationsPath
  return isUsed && operationsPath !== 'operations' ? `/${operationsPath}` : undefined
}

function printRequest(
  request: OutgoingRequest,
  address: ParsedApiUrl,
  model: ExplorerApiModel,
  imports: Set<string>,
): string {
  if (request.method === 'GET') return printRead(address, model, imports)
  if (request.method === 'POST' && address.type === model.operationsPath) return toOperationsCode(request.body)
  return printWrite(request, address)
}

function printRead(address: ParsedApiUrl, model: ExplorerApiModel, imports: Set<string>): string {
  const { shape, type, id, relationship, search } = address
  const { options, unknown } = queryStringToTypedClientOptions(search, imports)
  const query = withEmptyIncludesAsTrue(options)
  const last = Object.keys(query).length === 0 ? [] : [printJavaScriptValue(query)]
  const call = (result: string, method: string, ...values: readonly string[]) => [
    ...unknown.map((name) => `// The client has no option for ${name}.`),
    `const ${result} = await client.${method}(${[...values, ...last].join(', ')})`,
  ]
  const of = printJavaScriptValue({ type, id })
  const lines = () => {
    if (shape === 'collection') return call('{ data, total }', 'list', printJavaScriptString(type))
    if (shape === 'individual') return call('resource', 'get', printJavaScriptString(type), printJavaScriptString(id))
    if (shape === 'relationship') return call('linkage', 'getLinkage', of, printJavaScriptString(relationship))
    const isMany = model.fieldAt(type, relationship)?.kind === 'toMany'
    if (shape !== 'related') return ['// The client has no method for this URL.']
    return isMany
      ? call('{ data, total }', 'listRelated', of, printJavaScriptString(relationship))
      : call('related', 'getRelated', of, printJavaScriptString(relationship))
  }
  return lines().join('\n')
}

function printWrite({ method, body, ifMatch }: OutgoingRequest, address: ParsedApiUrl): string {
  const { shape, type, id, relationship } = address
  const data = dataOf(body)
  const condition = ifMatch == null ? [] : [printJavaScriptValue({ ifMatch })]
  const call = (name: string, ...values: readonly string[]) =>
    `await client.${name}(${[...values, ...condition].join(', ')})`
  const of = printJavaScriptValue({ type, id })
  if (shape === 'collection')
    return `const created = ${call('create', printJavaScriptString(type), printJavaScriptValue(resourceObjectToClientWriteValues(data)))}`
  if (shape === 'individual' && method === 'DELETE') return call('delete', of)
  if (shape === 'individual') {
    return `const updated = ${call('update', of, printJavaScriptValue(omitEmptyMembers({ ...resourceObjectToClientWriteValues(data), id: undefined })))}`
  }
  const names: Readonly<Record<string, string>> = { PATCH: 'setLinkage', POST: 'addLinkage', DELETE: 'removeLinkage' }
  return call(names[method] ?? 'setLinkage', of, printJavaScriptString(relationship), printJavaScriptValue(data))
}

function dataOf(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'data' in body ? body.data : undefined
}
