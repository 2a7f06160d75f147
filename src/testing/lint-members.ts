import { createListWithOneFindingAtPointer, type Finding } from './exchange'
import { appendToPointer, formatForMessage, isObject, type UnknownObject } from './json'
import type { AppliedExtensionNamespaces } from './parsed-exchange'
import type { RequirementId } from './requirements'

/** The members that an object of JSON:API may have. */
export interface AllowedMembers {
  readonly names: ReadonlySet<string>
  /** The requirement that other members violate. */
  readonly requirement: RequirementId
}

/** Checks member names. Members that JSON:API does not define may belong to an extension or start with `@`. */
export function lintAllowedMembers(
  object: UnknownObject,
  pointer: string,
  { names, requirement }: AllowedMembers,
  scope: AppliedExtensionNamespaces,
): readonly Finding[] {
  const others = Object.keys(object).filter((name) => !names.has(name) && !name.startsWith('@'))
  if (others.length === 0) return []
  const expected = [...names].join(', ')
  return others.flatMap((name) =>
    name.includes(':')
      ? lintExtensionName(name, appendToPointer(pointer, name), scope)
      : createListWithOneFindingAtPointer(
          appendToPointer(pointer, name),
          requirement,
          `Expected ${expected}, found '${name}'.`,
        ),
  )
}

/** Checks names that the server chooses: of fields and in `meta`. */
export function lintMemberNamesOfObject(
  object: UnknownObject,
  pointer: string,
  scope: AppliedExtensionNamespaces,
): readonly Finding[] {
  const unusual = Object.keys(object).filter((name) => !USUAL_NAME.test(name) && !name.startsWith('@'))
  return unusual.flatMap((name) =>
    name.includes(':')
      ? lintExtensionName(name, appendToPointer(pointer, name), scope)
      : issuesOf(name).flatMap(([requirement, message]) =>
          createListWithOneFindingAtPointer(appendToPointer(pointer, name), requirement, message),
        ),
  )
}

/** https://jsonapi.org/format/1.1/#document-meta */
export function lintMeta(meta: unknown, pointer: string, scope: AppliedExtensionNamespaces): readonly Finding[] {
  if (meta === undefined) return []
  if (isObject(meta)) return lintMemberNamesOfObject(meta, pointer, scope)
  return createListWithOneFindingAtPointer(pointer, 'ME-1', `Expected an object, found ${formatForMessage(meta)}.`)
}

export function isLegalMemberName(name: string): boolean {
  return USUAL_NAME.test(name) || illegalNameIssues(name).length === 0
}

/** https://jsonapi.org/format/1.1/#extension-members */
function lintExtensionName(
  name: string,
  pointer: string,
  { namespaces }: AppliedExtensionNamespaces,
): readonly Finding[] {
  const namespace = name.slice(0, name.indexOf(':'))
  const rest = name.slice(namespace.length + 1)
  return [
    ...(/^[a-z\d]+$/i.test(namespace)
      ? []
      : createListWithOneFindingAtPointer(
          pointer,
          'EX-3',
          `Expected letters and digits before the colon, found '${namespace}'.`,
        )),
    ...(isLegalMemberName(rest)
      ? []
      : createListWithOneFindingAtPointer(pointer, 'EX-4', `Expected a member name after the colon, found '${rest}'.`)),
    ...lintNamespace(namespace, pointer, namespaces),
  ]
}

function lintNamespace(
  namespace: string,
  pointer: string,
  namespaces: AppliedExtensionNamespaces['namespaces'],
): readonly Finding[] {
  if (namespaces === 'any' || namespaces.has(namespace)) return []
  const found = `a member of '${namespace}'`
  if (namespaces.size === 0)
    return createListWithOneFindingAtPointer(
      pointer,
      'EX-6',
      `Expected an ext in Content-Type, found none and ${found}.`,
    )
  return createListWithOneFindingAtPointer(
    pointer,
    'EX-2',
    `Expected the namespace ${[...namespaces].join(' or ')}, found ${found}.`,
  )
}

type NameIssue = readonly [requirement: RequirementId, message: string]

function issuesOf(name: string): readonly NameIssue[] {
  const illegal = illegalNameIssues(name)
  if (illegal.length > 0) return illegal
  const advice: readonly NameIssue[] = [['RC-1', `Expected camel case, found '${name}'.`]]
  return /^[\w-]+$/.test(name) ? advice : [...advice, ['MN-5', `Expected letters, digits, - and _, found '${name}'.`]]
}

/** https://jsonapi.org/format/1.1/#document-member-names */
function illegalNameIssues(name: string): readonly NameIssue[] {
  if (name === '') return [['MN-2', 'Expected a name, found an empty one.']]
  return [
    ...(RESERVED.test(name) ? [['MN-6', `Expected no reserved characters, found '${name}'.`] as const] : []),
    ...(/^[-_ ]|[-_ ]$/.test(name)
      ? [['MN-4', `Expected a letter or digit at both ends, found '${name}'.`] as const]
      : []),
    ...(!/\p{Surrogate}/u.test(name)
      ? []
      : [['MN-3', `Expected whole characters, found ${JSON.stringify(name)}.`] as const]),
  ]
}

/** Names that violate neither a requirement nor a recommendation. */
const USUAL_NAME = /^[a-z](?:[a-zA-Z\d]*[a-z])?$/

// biome-ignore lint/suspicious/noControlCharactersInRegex: member names must not contain control characters, which this finds
const RESERVED = /[+,.[\]!"#$%&'()*/:;<=>?@\\^`{|}~\u0000-\u001F\u007F]/
