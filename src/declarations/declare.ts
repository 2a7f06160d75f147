import { ConfigurationError, type ConfigurationProblem } from '../errors/configuration-error'
import { type FieldDeclaration, recordField, recordMistake, recordResource } from './record'

type FieldKind = FieldDeclaration['kind']
/** JavaScript may give anything. */
type Given = readonly unknown[]

/**
 * The decorator of a field. What is wrong with the way it is written is recorded with the class and reported by `createJsonApi`, together
 * with all else. Without parentheses it is called as the decorator itself.
 */
export function declareField(kind: FieldKind, given: Given): PropertyDecorator | undefined {
  refuseStandardOrder()
  const [target, property] = given
  const decorator = `@${DECORATORS[kind]}`
  if (given.length > 1 && isObjectOrClass(target) && isPropertyKey(property)) {
    recordMistake(classOf(target), {
      property: String(property),
      problem: `its ${decorator} has no parentheses.`,
      remedy: `Write ${decorator}().`,
    })
    return undefined
  }
  refuseStandard(given[1], decorator)
  return (...applied: readonly [object, string | symbol, ...unknown[]]) => {
    const [prototype, key] = applied
    refuseStandard(key, decorator)
    const [options = {}] = given
    const field = String(key)
    const resourceClass = classOf(prototype)
    if (typeof prototype === 'function') {
      const problem = `its ${decorator} is on a static property.`
      recordMistake(resourceClass, { property: field, problem, remedy: 'Take the decorator or `static` away.' })
    } else if (given.length > 1 || !isOptions(options)) {
      const problem = `its ${decorator} is given ${show(given)}.`
      recordMistake(resourceClass, { property: field, problem, remedy: `Write ${decorator}({ name: '…' }).` })
    } else recordField(resourceClass, { kind, property: field, options })
  }
}

const DECORATORS = { attribute: 'Attribute', toOne: 'ToOne', toMany: 'ToMany' } as const satisfies Record<
  FieldKind,
  string
>

/** The same for the decorator of a class. */
export function declareResource(given: Given): ClassDecorator | undefined {
  const [name, options = {}] = given
  if (typeof name === 'function') {
    refuseStandard(options, '@Resource')
    recordMistake(name, { problem: 'its @Resource has no parentheses.', remedy: NAMED })
    return undefined
  }
  awaitClass(name)
  return (...applied: readonly [object, ...unknown[]]) => {
    awaited = undefined
    const [resourceClass, context] = applied
    refuseStandard(context, '@Resource')
    if (typeof name !== 'string' || !isOptions(options) || given.length > 2) {
      recordMistake(resourceClass, { problem: `its @Resource is given ${show(given)}.`, remedy: NAMED })
    } else recordResource(resourceClass, { name, options })
  }
}

const NAMED =
  "Write @Resource('things') with the public name of the type; options come second: @Resource('things', { … })."

/**
 * The name in a `@Resource` whose class is yet to come. Standard decorators are evaluated from the class to its fields, and those of TypeScript
 * the other way round. So a field that is declared in between shows that the compiler emits standard ones, with which TypeORM fails on the
 * first column: with a message that names nothing of the application.
 */
let awaited: string | undefined

function awaitClass(name: unknown): void {
  awaited = String(name)
  // A class is defined in one go.
  queueMicrotask(() => {
    awaited = undefined
  })
}

function refuseStandardOrder(): void {
  if (awaited === undefined) return
  const name = awaited
  awaited = undefined
  throw standardDecorators(`@Resource('${name}')`)
}

function refuseStandard(context: unknown, at: string): void {
  if (typeof context !== 'object' || context === null || !('kind' in context) || !('addInitializer' in context)) return
  throw standardDecorators('name' in context ? `${at} ${String(context.name)}` : at)
}

/** The class can't be found from a standard decorator of a field, so that nothing can be recorded for later. */
function standardDecorators(at: string): ConfigurationError {
  const problem: ConfigurationProblem = {
    at,
    problem: 'the decorators are compiled as standard decorators, which TypeORM does not support.',
    remedy:
      'Add "experimentalDecorators": true to the compilerOptions of tsconfig.json. tsx and esbuild read the tsconfig.json of the folder that they start in.',
  }
  return new ConfigurationError([problem])
}

/** Field decorators are given the prototype of the class, and those of static members the class. */
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
function show(given: Given): string {
  if (given.length === 0) return 'nothing'
  return given
    .map((value) => {
      if (typeof value === 'string') return `'${value}'`
      if (typeof value === 'function') return 'a function'
      return isOptions(value) ? '{ … }' : Array.isArray(value) ? 'a list' : String(value)
    })
    .join(', ')
}
