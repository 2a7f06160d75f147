import { distance } from 'fastest-levenshtein'
import type { ConfigurationIssue } from '../errors/configuration-error'
import type { ResourceClass } from '../graph/model/resource-graph'
import { ResourceDefinition } from './resource-definition'

/** Returns the issues of a list of definitions. A JavaScript program may pass any value. */
export function findHookDefinitionIssues(
  definitions: unknown,
  resources: readonly ResourceClass[],
): readonly ConfigurationIssue[] {
  if (!Array.isArray(definitions))
    return [{ location: LOCATION, message: 'its definitions are not a list.', remedy: INSTANCES_REMEDY }]
  return definitions.flatMap((definition: unknown, index): readonly ConfigurationIssue[] => {
    if (!(definition instanceof ResourceDefinition)) return [notADefinitionIssue(definition, index)]
    const { resource } = definition
    if (typeof resource !== 'function') return [missingResourceIssue(definition)]
    const isRepeated = definitions.slice(0, index).some((other: unknown) => Object(other).resource === resource)
    return [
      ...(resources.includes(resource) ? [] : [unregisteredResourceIssue(definition)]),
      ...(isRepeated ? [duplicateDefinitionIssue(definition)] : []),
      ...findHookIssues(definition),
    ]
  })
}

const LOCATION = 'createJsonApi'
const INSTANCES_REMEDY = 'Give instances: definitions: [new NoteDefinition()].'

function notADefinitionIssue(definition: unknown, index: number): ConfigurationIssue {
  const location = `its definitions[${index}]`
  if (typeof definition === 'function') {
    const { name } = definition
    return {
      location: LOCATION,
      message: `${location} is the class ${name}.`,
      remedy: `Give an instance: new ${name}().`,
    }
  }
  const message = `${location} is not an instance of a class that extends ResourceDefinition.`
  return { location: LOCATION, message, remedy: INSTANCES_REMEDY }
}

function missingResourceIssue(definition: ResourceDefinition): ConfigurationIssue {
  return {
    location: definition.constructor.name,
    message: 'it has no resource.',
    remedy: 'Set it to the class that its rules apply to: readonly resource = Note.',
  }
}

function unregisteredResourceIssue(definition: ResourceDefinition): ConfigurationIssue {
  return {
    location: definition.constructor.name,
    message: `its resource ${definition.resource.name} is not registered.`,
    remedy: `Add ${definition.resource.name} to the resources of createJsonApi, or leave the definition out.`,
  }
}

function duplicateDefinitionIssue(definition: ResourceDefinition): ConfigurationIssue {
  return {
    location: definition.constructor.name,
    message: `there is another definition for ${definition.resource.name}.`,
    remedy: 'Put the rules of one resource type into one definition.',
  }
}

const HOOKS = Object.getOwnPropertyNames(ResourceDefinition.prototype).filter((name) => name !== 'constructor')

/** Reports misspelt hooks, which would never run. The application's own methods rarely resemble the name of a hook. */
function findHookIssues(definition: ResourceDefinition): readonly ConfigurationIssue[] {
  const className = definition.constructor.name
  return Object.entries(membersOf(definition)).flatMap(([name, value]): readonly ConfigurationIssue[] => {
    if (HOOKS.includes(name)) {
      if (typeof value === 'function') return []
      return [
        { location: `${className}.${name}`, message: 'it is a hook but not a function.', remedy: 'Make it a method.' },
      ]
    }
    const nearest = typeof value === 'function' ? HOOKS.find((hook) => resembles(name, hook)) : undefined
    if (nearest === undefined) return []
    const remedy = `Correct the name, or make a method of your own private: #${name}().`
    return [{ location: `${className}.${name}`, message: `it is not a hook. Did you mean '${nearest}'?`, remedy }]
  })
}

/** Returns the members of the instance and of its classes below `ResourceDefinition`. */
function membersOf(definition: object): Readonly<Record<string, unknown>> {
  const members: Record<string, unknown> = {}
  for (let each = definition; each !== ResourceDefinition.prototype; each = Object.getPrototypeOf(each)) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(each))) members[name] ??= value
  }
  return members
}

/** Returns true if a name may be a misspelt hook. Many words resemble a short name, so a short name must have the same letters. */
function resembles(name: string, hook: string): boolean {
  const [actual, expected] = [name.toLowerCase(), hook.toLowerCase()]
  if (sortLetters(actual) === sortLetters(expected)) return true
  return hook.length >= MIN_FUZZY_LENGTH && distance(actual, expected) <= 2
}

const MIN_FUZZY_LENGTH = 8

function sortLetters(text: string): string {
  return [...text].sort().join('')
}
