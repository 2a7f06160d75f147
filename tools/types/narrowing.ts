import type { components, operations, paths } from '../../build/tools/humans'
import type { components as vehicles } from '../../build/tools/vehicles'

// Uses the types that are generated from the document. openapi.test.ts compiles this file; it never runs.

type Schemas = components['schemas']

/** The type narrows the attributes. */
export function describeHuman(human: Schemas['humans']): string | null | undefined {
  switch (human.type) {
    case 'men':
      // @ts-expect-error A man has no maiden name.
      void human.attributes?.maidenName
      return human.attributes?.hasBeard === true ? 'bearded' : human.attributes?.name
    case 'women':
      // @ts-expect-error A woman has no beard.
      void human.attributes?.hasBeard
      return human.attributes?.maidenName
  }
}

/** The schema of a concrete base includes its derived types. */
export function countGears(bike: vehicles['schemas']['bikes']): number | undefined {
  return bike.type === 'tandems' ? bike.attributes?.passengerCount : bike.attributes?.gearCount
}

export const created: Schemas['humans.create'] = { type: 'men', attributes: { name: 'Adam' } }

// @ts-expect-error Humans are abstract: each resource has a derived type.
export const abstract: Schemas['humans.create'] = { type: 'humans', attributes: { name: 'Adam' } }

// @ts-expect-error A new man has a name.
export const nameless: Schemas['men.create'] = { type: 'men', attributes: { hasBeard: true } }

export const changed: Schemas['men.update'] = { type: 'men', id: '1', attributes: { hasBeard: true } }

// @ts-expect-error An update needs an id.
export const withoutId: Schemas['men.update'] = { type: 'men', attributes: { hasBeard: true } }

export const linked: Schemas['women.update'] = {
  type: 'women',
  id: '2',
  relationships: { husband: { data: { type: 'men', id: '1' } }, mother: { data: null } },
}

export const wed: Schemas['women.update'] = {
  type: 'women',
  id: '2',
  // @ts-expect-error A husband is a man.
  relationships: { husband: { data: { type: 'women', id: '1' } } },
}

type Get = operations['humans.getCollection']
type Page = Get['responses'][200]['content']['application/vnd.api+json']

export function namesOf({ data, included = [] }: Page): readonly (string | undefined)[] {
  return [...data, ...included].map(({ attributes }) => attributes?.name)
}

export const query: Get['parameters']['query'] = {
  filter: ["equals(name,'Adam')"],
  sort: ['-name', 'father.name'],
  include: ['children', 'children.mother'],
  fields: { men: 'name', women: 'name,maidenName' },
  page: { size: 5, after: 'x' },
}

/** The type of an undescribed method is `undefined`. */
export const noPut: paths['/humans']['put'] = undefined
