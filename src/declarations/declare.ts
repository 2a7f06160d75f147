import { ConfigurationError, type ConfigurationIssue } from '../errors/configuration-error'
import { type FieldDeclaration, recordField, recordIssue, recordResource } from './record'

type FieldKind = FieldDeclaration['kind']
/** A JavaScript program may pass any value. */
type DecoratorArguments = readonly unknown[]

/**
 * Declares a field. Records a wrong use of the decorator with the class; `createJsonApi` reports it with all other issues. Without
 * parentheses, TypeScript calls this function as the decorator itself.
 */
export function declareField(kind: FieldKind, given: DecoratorArguments): PropertyDecorator | undefined {
  assertLegacyOrder()
  const [target, property] = given
  const decorator = `@${DECORATORS[kind]}`
  if (given.length > 1 && isObjectOrClass(target) && isPropertyKey(property)) {
    recordIssue(classOf(target), {
      property: String(property),
      message: `its ${decorator} has no parentheses.`,
      remedy: `Write ${decorator}().`,
    })
    return undefined
  }
  assertLegacyDecorator(given[1], decorator)
  return (...applied: readonly [object, string | symbol, ...unknown[]]) => {
    const [prototype, key] = applied
    assertLegacyDecorator(key, decorator)
    const [options = {}] = given
    const field = String(key)
    const resourceClass = classOf(prototype)
    if (typeof prototype === 'function') {
      const problem = `its ${decorator} is on a static property.`
      recordIssue(resourceClass, { property: field, message: problem, remedy: 'Take the decorator or `static` away.' })
    } else if (given.length > 1 || !isOptions(options)) {
      const problem = `its ${decorator} is given ${showArguments(given)}.`
      recordIssue(resourceClass, { property: field, message: problem, remedy: `Write ${decorator}({ name: '…' }).` })
    } else recordField(resourceClass, { kind, property: field, options })
  }
}

const DECORATORS = { attribute: 'Attribute', toOne: 'ToOne', toMany: 'ToMany' } as const satisfies Record<
  FieldKind,
  string
>

/** Does the same for the decorator of a class. */
export function declareResource(given: DecoratorArguments): ClassDecorator | undefined {
  const [name, options = {}] = given
  if (typeof name === 'function') {
    assertLegacyDecorator(options, '@Resource')
    recordIssue(name, { message: 'its @Resource has no parentheses.', remedy: NAMED })
    return undefined
  }
  awaitClass(name)
  return (...applied: readonly [object, ...unknown[]]) => {
    awaited = undefined
    const [resourceClass, context] = applied
    assertLegacyDecorator(context, '@Resource')
    if (typeof name !== 'string' || !isOptions(options) || given.length > 2) {
      recordIssue(resourceClass, { message: `its @Resource is given ${showArguments(given)}.`, remedy: NAMED })
    } else recordResource(resourceClass, { name, options })
  }
}

const NAMED =
  "Write @Resource('things') with the public name of the type; options come second: @Resource('things', { … })."

/**
 * The name in a `@Resource` whose class is not defined yet. Standard decorators are evaluated from the class to its fields, those of
 * TypeScript from the fields to the class. So a field that is declared in between shows that the compiler emits standard decorators.
 * TypeORM fails on these at the first column, with a message that names nothing of the application.
 */
let awaited: string | undefined

function awaitClass(name: unknown): void {
  awaited = String(name)
  // A class is defined synchronously.
  queueMicrotask(() => {
    awaited = undefined
  })
}

function assertLegacyOrder(): void {
  if (awaited === undefined) return
  const name = awaited
  awaited = undefined
  throw standardDecorators(`@Resource('${name}')`)
}

function assertLegacyDecorator(context: unknown, at: string): void {
  if (typeof context !== 'object' || context === null || !('kind' in context) || !('addInitializer' in context)) return
  throw standardDecorators('name' in context ? `${at} ${String(context.name)}` : at)
}

/** A standard decorator of a field cannot find its class, so this error is thrown at once and not recorded. */
function standardDecorators(location: string): ConfigurationError {
  const problem: ConfigurationIssue = {
    location,
    message: 'the decorators are compiled as standard decorators, which TypeORM does not support.',
    remedy:
      'Add "experimentalDecorators": true to the compilerOptions of tsconfig.json. tsx and esbuild read the tsconfig.json of the folder that they start in.',
  }
  return new ConfigurationError([problem])
}

/** TypeScript passes the prototype of the class to field decorators, and the class itself for static members. */
function classOf(target: object): object {
  return typeof target === 'function' ? target : target.constructor
}

function isObjectOrClass(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}

function isPropertyKey(value: unknown): value is string | symbol {
  return typeof value === 'string' || typeof value === 'symbol'
}

function isOptions(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** `'title', { … }` */
function showArguments(given: DecoratorArguments): string {
  if (given.length === 0) return 'nothing'
  return given
    .map((value) => {
      if (typeof value === 'string') return `'${value}'`
      if (typeof value === 'function') return 'a function'
      return isOptions(value) ? '{ … }' : Array.isArray(value) ? 'a list' : String(value)
    })
    .join(', ')
}
