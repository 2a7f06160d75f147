import { ConfigurationError, type ConfigurationIssue } from '../errors/configuration-error'
import { type FieldDeclaration, recordField, recordIssue, recordResource } from './class-declarations'
import type { AttributeOptions, ResourceOptions, ToManyOptions, ToOneOptions } from './field-options'

type FieldKind = FieldDeclaration['kind']
/** A JavaScript program may pass any value. */
type DecoratorArguments = readonly unknown[]

/**
 * Declares a field. Records a wrong use of the decorator with the class; `createJsonApi` reports it with all other issues. Without
 * parentheses, TypeScript calls this function as the decorator itself.
 */
function declareField(kind: FieldKind, given: DecoratorArguments): PropertyDecorator | undefined {
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
      recordIssue(resourceClass, { property: field, message: problem, remedy: 'Remove the decorator or `static`.' })
    } else if (given.length > 1 || !isOptions(options)) {
      const problem = `its ${decorator} is called with ${showArguments(given)}.`
      recordIssue(resourceClass, { property: field, message: problem, remedy: `Write ${decorator}({ name: '…' }).` })
    } else recordField(resourceClass, { kind, property: field, options })
  }
}

const DECORATORS = { attribute: 'Attribute', toOne: 'ToOne', toMany: 'ToMany' } as const satisfies Record<
  FieldKind,
  string
>

/** Does the same for the decorator of a class. */
function declareResource(given: DecoratorArguments): ClassDecorator | undefined {
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
      recordIssue(resourceClass, { message: `its @Resource is called with ${showArguments(given)}.`, remedy: NAMED })
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

/** Returns true for an object with options. */
export function isOptions(value: unknown): value is object {
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

/**
 * Declares an attribute. The TypeORM column on the same property determines its type, whether it may be null and whether clients must send
 * it on create. The primary key needs no `@Attribute`: it is `id` in every document.
 *
 * ```ts
 * @Attribute() @Column({ type: 'varchar', length: 80 }) name: string
 * @Attribute({ name: 'bornOn' }) @Column({ type: 'date', nullable: true }) birthDate: string | null
 * ```
 *
 * -> `"attributes": { "name": "Adam", "bornOn": "1950-03-01" }`
 */
export function Attribute(options?: AttributeOptions): PropertyDecorator
export function Attribute(...given: readonly unknown[]): PropertyDecorator | undefined {
  return declareField('attribute', given)
}

/**
 * Declares a relationship to one resource. The TypeORM relation on the same property determines its target, its inverse, and whether it may
 * be empty. A relation may name its target with a string, so that a base class never imports its derived classes.
 *
 * ```ts
 * @ToOne() @ManyToOne('Man', { nullable: true }) father: Man | null
 * ```
 *
 * -> `"relationships": { "father": { "links": { "self": "/women/2/relationships/father", "related": "/women/2/father" } } }`
 */
export function ToOne(options?: ToOneOptions): PropertyDecorator
export function ToOne(...given: readonly unknown[]): PropertyDecorator | undefined {
  return declareField('toOne', given)
}

/**
 * Declares a relationship to any number of resources. The TypeORM relation on the same property determines its target and inverse.
 *
 * ```ts
 * @ToMany({ page: { size: 5 } }) @OneToMany('Article', 'blog') articles: Article[]
 * @ToMany({ name: 'features' }) @ManyToMany('Feature') @JoinTable() carFeatures: Feature[]
 * ```
 *
 * `GET /blogs/1/articles` -> the first five articles of the blog, and a link to the next five
 */
export function ToMany(options?: ToManyOptions): PropertyDecorator
export function ToMany(...given: readonly unknown[]): PropertyDecorator | undefined {
  return declareField('toMany', given)
}

/**
 * Makes a TypeORM entity a resource type. The name is the `type` in documents and the first segment of URLs. If the class extends another
 * resource class, its type is derived from that type, and inherits fields and options.
 *
 * ```ts
 * @Resource('humans', { abstract: true })
 * @Entity()
 * @TableInheritance({ column: { type: 'varchar', name: 'kind' } })
 * abstract class Human {
 *   @PrimaryGeneratedColumn() id: number
 *   @Attribute() @Column({ type: 'varchar' }) name: string
 * }
 *
 * @Resource('men')
 * @ChildEntity()
 * class Man extends Human {
 *   @Attribute() @Column({ type: 'boolean', default: false }) hasBeard: boolean
 * }
 * ```
 *
 * `GET /humans` -> `{ "data": [{ "type": "men", "id": "1", "attributes": { "hasBeard": false, "name": "Adam" } }] }`
 */
export function Resource(name: string, options?: ResourceOptions): ClassDecorator
export function Resource(...given: readonly unknown[]): ClassDecorator | undefined {
  return declareResource(given)
}
