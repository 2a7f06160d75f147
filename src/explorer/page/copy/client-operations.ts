import { toRecordOrEmpty } from '../core/to-record-or-empty'
import { omitEmptyMembers, resourceObjectToClientWriteValues } from './client-values'
import { printJavaScriptString, printJavaScriptValue, RawCode } from './print-javascript-value'

/** Prints atomic operations as a call of `performOperations`. Variables stand for local ids. */
export function toOperationsCode(body: unknown): string {
  const all = toRecordOrEmpty(body)['atomic:operations']
  const operations = Array.isArray(all) ? all.map(toRecordOrEmpty) : []
  const variables = variablesOf(operations)
  const lines = operations.map((operation) => `  ${printOperation(operation, variables).replaceAll('\n', '\n  ')}`)
  const names = [...variables.values()]
  const result = names.length === 0 ? [] : [`  return { ${names.join(', ')} }`]
  const start = names.length === 0 ? '' : `const { ${names.join(', ')} } = `
  return [`${start}await client.performOperations((operations) => {`, ...lines, ...result, '})'].join('\n')
}

type Operation = Readonly<Record<string, unknown>>

/** Returns a variable for each local id that is added, by type and local id. */
function variablesOf(operations: readonly Operation[]): ReadonlyMap<string, string> {
  const keys = operations.flatMap(({ op, ref, data }) => {
    const { type, lid } = toRecordOrEmpty(data)
    return op === 'add' && ref === undefined && lid !== undefined ? [`${type} ${lid}`] : []
  })
  return new Map([...new Set(keys)].map((key, index) => [key, toVariable(key.split(' ')[1] ?? '', index)]))
}

function toVariable(lid: string, index: number): string {
  return /^[a-z]\w*$/i.test(lid) && !RESERVED.has(lid) ? lid : `resource${index + 1}`
}

/** The commonest words that are no variables. The code is to be read, so the others are left to the compiler. */
const RESERVED = new Set(['new', 'class', 'default', 'delete', 'function', 'return', 'this', 'operations', 'client'])

function printOperation(operation: Operation, variables: ReadonlyMap<string, string>): string {
  const { op, ref, href, data } = operation
  const { relationship } = toRecordOrEmpty(ref)
  if (href !== undefined) return `// The client has no method for href: ${JSON.stringify(operation)}`
  const identifiers = (linkage: unknown) => toIdentifiers(linkage, variables)
  const of = (value: unknown) => printJavaScriptValue(identifiers(value))
  if (typeof relationship === 'string') {
    const name = { add: 'addLinkage', remove: 'removeLinkage' }[String(op)] ?? 'setLinkage'
    return `operations.${name}(${of(ref)}, ${printJavaScriptString(relationship)}, ${of(data)}${printCondition(operation)})`
  }
  if (op === 'remove') return `operations.delete(${of(ref)}${printCondition(operation)})`
  const values = resourceObjectToClientWriteValues(data, identifiers)
  const { type, lid } = toRecordOrEmpty(data)
  if (op === 'update') {
    const changes = printJavaScriptValue(omitEmptyMembers({ ...values, id: undefined }))
    return `operations.update(${of(data)}, ${changes}${printCondition(operation)})`
  }
  const variable = variables.get(`${type} ${lid}`)
  const call = `operations.create(${printJavaScriptString(String(type))}, ${printJavaScriptValue(values)})`
  return variable === undefined ? call : `const ${variable} = ${call}`
}

/** Prints the version that the resource must have as the last argument. The client itself sends `*` for a local id. */
function printCondition({ ref, data, meta }: Operation): string {
  const { version } = toRecordOrEmpty(meta)
  const isDefault = version === '*' && toRecordOrEmpty(ref ?? data).id === undefined
  return version === undefined || isDefault ? '' : `, ${printJavaScriptValue({ ifMatch: version })}`
}

/** Replaces identifiers with local ids by their variables. */
function toIdentifiers(linkage: unknown, variables: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(linkage)) return linkage.map((each) => toIdentifiers(each, variables))
  if (typeof linkage !== 'object' || linkage === null) return linkage
  const { type, id, lid } = toRecordOrEmpty(linkage)
  const variable = variables.get(`${type} ${lid}`)
  return variable === undefined ? { type, id, lid } : new RawCode(variable)
}
