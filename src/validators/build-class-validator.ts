import type * as ClassTransformer from 'class-transformer'
import type * as ClassValidator from 'class-validator'
import type { ValidationError } from 'class-validator'
import { isModuleNotFound } from '../errors/is-module-not-found'
import type { Attribute, ResourceClass, StoredType } from '../graph/model/resource-graph'
import { createFrozenEntity } from '../records/resource-record'
import type { AttributesValidator, ValidationIssue } from './validation-issue'

/** Returns a validator if class-validator is installed and the class or one of its bases uses its decorators. */
export function buildClassValidator(type: StoredType): AttributesValidator | undefined {
  const classValidator = findClassValidator()
  if (classValidator === undefined || !isDecorated(type, classValidator)) return undefined
  const { validate } = classValidator
  const classTransformer = findPackage<typeof ClassTransformer>(() => require('class-transformer'))
  return async (values, kind) => {
    const instance = createFrozenEntity(type, propertiesOf(type, values, classTransformer))
    // class-validator checks either decorators without groups or those of given groups. So this runs both: first without groups, then with
    // the kind of write.
    const unlimited = await validate(instance, { ...OPTIONS, strictGroups: true })
    const limited = await validate(instance, { ...OPTIONS, groups: [kind] })
    const names = new Map(type.attributes.map(({ property, name }) => [property, name]))
    return distinct([...unlimited, ...limited].flatMap((error) => issuesOf(error, names)))
  }
}

const OPTIONS = { forbidUnknownValues: false } as const

/** Its decorators register classes in a global variable. Without them the package is not loaded, which takes 150 ms. */
function findClassValidator(): typeof ClassValidator | undefined {
  if (!('classValidatorMetadataStorage' in globalThis)) return undefined
  return findPackage<typeof ClassValidator>(() => require('class-validator'))
}

function findPackage<Package>(load: () => Package): Package | undefined {
  try {
    return load()
  } catch (error) {
    if (isModuleNotFound(error)) return undefined
    throw error
  }
}

function isDecorated({ resourceClass }: StoredType, { getMetadataStorage }: typeof ClassValidator): boolean {
  return getMetadataStorage().getTargetValidationMetadatas(resourceClass, '', false, false).length > 0
}

function propertiesOf(
  { resourceClass }: StoredType,
  values: ReadonlyMap<Attribute, unknown>,
  classTransformer: typeof ClassTransformer | undefined,
): ReadonlyMap<string, unknown> {
  const toValidatedValue = ({ property, constraints }: Attribute, value: unknown) => {
    if (classTransformer === undefined || constraints.valueType !== 'json') return value
    return withClasses(resourceClass, property, value, classTransformer)
  }
  return new Map([...values].map(([attribute, value]) => [attribute.property, toValidatedValue(attribute, value)]))
}

/** `@ValidateNested` needs class instances. `@Type` of class-transformer names the class. */
function withClasses(
  resourceClass: ResourceClass,
  property: string,
  value: unknown,
  classTransformer: typeof ClassTransformer,
): unknown {
  const instance: unknown = classTransformer.plainToInstance(resourceClass as never, { [property]: value })
  return (instance as Record<string, unknown>)[property]
}

function issuesOf(error: ValidationError, names: ReadonlyMap<string, string>): readonly ValidationIssue[] {
  const name = names.get(error.property)
  return name === undefined ? issuesAt([], error) : issuesAt([name], error)
}

function issuesAt(
  path: ValidationIssue['path'],
  { constraints = {}, children = [] }: ValidationError,
): readonly ValidationIssue[] {
  return [
    ...Object.values(constraints).map((message) => ({ message, path })),
    ...children.flatMap((child) => issuesAt([...path, child.property], child)),
  ]
}

/** Removes repeated issues. Both runs report decorators that apply to all groups. */
function distinct(issues: readonly ValidationIssue[]): readonly ValidationIssue[] {
  return [...new Map(issues.map((issue) => [JSON.stringify(issue), issue])).values()]
}
