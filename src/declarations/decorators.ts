import { ConfigurationError, type ConfigurationIssue } from '../errors/configuration-error'
import {
  type FieldDeclaration,
  registerDeclarationIssue,
  registerFieldDeclaration,
  registerResourceDeclaration,
} from './class-declarations'
import type { AttributeOptions, ResourceOptions, ToManyOptions, ToOneOptions } from './field-options'

type FieldKind = FieldDeclaration['kind']
/** The arguments of a decorator. A JavaScript program may pass any value. */
type DecoratorArguments = readonly unknown[]

/**
 * Declares a field. Records a wrong use of the decorator with the class; `createJsonApi` reports it with all other issues. Without
 * parentheses, TypeScript calls this function as the decorator itself.
 */
function declareField(kind: FieldKind, args: DecoratorArguments): PropertyDecorator | undefined {
  assertLegacyOrder()
  const [target, property] = args
  const decorator = `@${DECORATORS[kind]}`
  if (args.length > 1 && isObjectOrClass(target) && isPropertyKey(property)) {
    registerDeclarationIssue(classOf(target), {
      property: String(property),
      message: `its ${decorator} has no parentheses.`,
      remedy: `Write ${decorator}().`,
    })
    return undefined
  }
  assertLegacyDecorator(args[1], decorator)
  return (...applied: readonly [object, string | symbol, ...unknown[]]) => {
    const [prototype, key] = applied
    assertLegacyDecorator(key, decorator)
    const [options = {}] = args
    const field = String(key)
    const resourceClass = classOf(prototype)
    if (typeof prototype === 'function') {
      const message = `its ${decorator} is on a static property.`
      registerDeclarationIssue(resourceClass, { property: field, message, remedy: 'Remove the decorator or `static`.' })
    } else if (args.length > 1 || !isOptionsObject(options)) {
      const message = `its ${decorator} is called with ${formatArguments(args)}.`
      registerDeclarationIssue(resourceClass, {
        property: field,
        message,
        remedy: `Write ${decorator}({ name: '…' }).`,
      })
    } else registerFieldDeclaration(resourceClass, { kind, property: field, options })
  }
}

const DECORATORS = { attribute: 'Attribute', toOne: 'ToOne', toMany: 'ToMany' } as const satisfies Record<
  FieldKind,
  string
>

/** Declares a resource type. Records a wrong use of the decorator, like `declareField`. */
function declareResource(args: DecoratorArguments): ClassDecorator | undefined {
  const [name, options = {}] = args
  if (typeof name === 'function') {
    assertLegacyDecorator(options, '@Resource')
    registerDeclarationIssue(name, { message: 'its @Resource has no parentheses.', remedy: RESOURCE_REMEDY })
    return undefined
  }
  expectClass(name)
  return (...applied: readonly [object, ...unknown[]]) => {
    pendingClassName = undefined
    const [resourceClass, context] = applied
    assertLegacyDecorator(context, '@Resource')
    if (typeof name !== 'string' || !isOptionsObject(options) || args.length > 2) {
      registerDeclarationIssue(resourceClass, {
        message: `its @Resource is called with ${formatArguments(args)}.`,
        remedy: RESOURCE_REMEDY,
      })
    } else registerResourceDeclaration(resourceClass, { name, options })
  }
}

const RESOURCE_REMEDY =
  "Write @Resource('things') with the public name of the type; options come second: @Resource('things', { … })."

/**
 * The name in a `@Resource` whose class is not defined yet. Standard decorators are evaluated first for the class and then for its fields,
 * TypeScript's legacy decorators the other way round. So a field that is declared while a class is pending shows that the compiler emits
 * standard decorators. TypeORM fails on these at the first column, with a message that does not name the class.
 */
let pendingClassName: string | undefined

function expectClass(name: unknown): void {
  pendingClassName = typeof name === 'string' ? name : '…'
  // A class is defined synchronously.
  queueMicrotask(() => {
    pendingClassName = undefined
  })
}

function assertLegacyOrder(): void {
  if (pendingClassName === undefined) return
  const name = pendingClassName
  pendingClassName = undefined
  throw standardDecorators(`@Resource('${name}')`)
}

function assertLegacyDecorator(context: unknown, decorator: string): void {
  if (typeof context !== 'object' || context === null || !('kind' in context) || !('addInitializer' in context)) return
  throw standardDecorators('name' in context ? `${decorator} ${String(context.name)}` : decorator)
}

/** A standard decorator of a field cannot find its class, so this error is thrown at once and not recorded. */
function standardDecorators(location: string): ConfigurationError {
  const issue: ConfigurationIssue = {
    location,
    message: 'the decorators are compiled as standard decorators, which TypeORM does not support.',
    remedy:
      'Add "experimentalDecorators": true to the compilerOptions of tsconfig.json. tsx and esbuild read the tsconfig.json of the folder that they start in, and tsx applies it only to files that its include or files names.',
  }
  return new ConfigurationError([issue])
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
export function isOptionsObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** `'title', { … }` */
function formatArguments(args: DecoratorArguments): string {
  if (args.length === 0) return 'nothing'
  return args
    .map((value) => {
      if (typeof value === 'string') return `'${value}'`
      if (typeof value === 'function') return 'a function'
      return isOptionsObject(value) ? '{ … }' : Array.isArray(value) ? 'a list' : String(value)
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
export function Attribute(...args: readonly unknown[]): PropertyDecorator | undefined {
  return declareField('attribute', args)
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
export function ToOne(...args: readonly unknown[]): PropertyDecorator | undefined {
  return declareField('toOne', args)
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
export function ToMany(...args: readonly unknown[]): PropertyDecorator | undefined {
  return declareField('toMany', args)
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
export function Resource(...args: readonly unknown[]): ClassDecorator | undefined {
  return declareResource(args)
}
