import {
  and,
  any,
  ascending,
  attributeRef,
  type Client,
  contains,
  descending,
  equals,
  type FilterExpression,
  greaterThan,
  has,
  type Identifier,
  type InferApi,
  isType,
  lessThan,
  not,
  type QueriedType,
  type RelatedList,
  type ResourceOf,
  relatedIsType,
} from 'stemma/client'
import { same } from '../../support/same-type'
import type { Family } from './support/family'
import type { Shop } from './support/shop'

// `npm run typecheck` checks this file, which is never run. An error that is no longer found makes its `@ts-expect-error` an error.

declare const family: Client<Family>
declare const shop: Client<Shop>
declare class Total {
  id: number
  readonly amount: number
}
declare const totals: Client<InferApi<{ totals: typeof Total }>>
const ARTHUR = { type: 'men', id: '1' } as const
const wives: FilterExpression<QueriedType<Family, 'humans'>> = isType('women', not(equals('husband', null)))
const ADA = { type: 'customers', id: 'ada' } as const

export async function resources(): Promise<void> {
  const human = await family.get('humans', '1')
  same<typeof human.type, 'men' | 'women'>()
  same<typeof human.name, string>()
  // @ts-expect-error: women have no beards.
  human.hasBeard
  if (human.type === 'men') same<typeof human.hasBeard, boolean>()
  if (human.type === 'women') same<typeof human.maidenName, string | null>()
  // @ts-expect-error: humans are abstract.
  if (human.type === 'humans') return
  // @ts-expect-error: resources are read-only.
  human.name = 'Ada'

  const order = await shop.get('orders', '1')
  same<typeof order.weight, string>()
  same<typeof order.version, number>()
  const customer = await shop.get('customers', 'ada')
  same<typeof customer.address, { readonly city: string | null; readonly street: string | null }>()
  // @ts-expect-error: it is hidden.
  customer.passwordHash
  // @ts-expect-error: there is no such type.
  await family.get('animals', '1')
}

export async function included(): Promise<void> {
  const human = await family.get('humans', '1', {
    include: { father: true, children: { include: { wife: true } }, wife: true },
  })
  same<typeof human.father, ResourceOf<Family, 'men'> | null>()
  const child = human.children[0]
  if (child?.type === 'men') same<typeof child.wife, ResourceOf<Family, 'women'> | null>()
  if (human.type === 'men') same<NonNullable<typeof human.wife>['maidenName'], string | null>()
  // @ts-expect-error: women have no wives.
  if (human.type === 'women') human.wife
  // @ts-expect-error: it was not included, so it may be an identifier.
  human.mother?.name
  same<typeof human.mother, Identifier<'women'> | null | undefined>()
  if (human.type === 'men') {
    type Optional = ResourceOf<
      Family,
      'men',
      { wife: true | undefined; children: { filter: typeof wives | undefined } }
    >
    const { wife, children } = human as Optional
    same<typeof wife, ResourceOf<Family, 'women'> | Identifier<'women'> | null | undefined>()
    // @ts-expect-error: a filter may have left out children.
    if (!children.hasMore) await family.setLinkage(human, 'children', children)
  }
  // @ts-expect-error: the children of the father were not included.
  human.father?.children.length

  const order = await shop.get('orders', '1', { include: { customer: { include: { orders: true } } } })
  same<typeof order.customer.orders, RelatedList<ResourceOf<Shop, 'orders'>>>()

  // @ts-expect-error: there is no such relationship.
  await family.list('humans', { include: { brother: true } })
  // @ts-expect-error: nor on that type.
  await family.list('humans', { include: { father: { include: { brother: true } } } })
  // @ts-expect-error: an attribute is not included.
  await family.list('humans', { include: { name: true } })
  // @ts-expect-error: one resource is not sorted.
  await family.list('humans', { include: { father: { sort: [ascending('name')] } } })
  // @ts-expect-error: there is no such option.
  await family.list('humans', { include: { children: { size: 3 } } })
  // @ts-expect-error: one resource is not filtered.
  await family.get('humans', '1', { filter: equals('name', 'Ada') })
}

export async function fieldsets(): Promise<void> {
  const { data } = await family.list('humans', {
    fields: { humans: ['name', 'father'], women: ['maidenName', 'husband'] },
    include: { father: true, husband: true },
  })
  const human = data[0]
  if (human?.type === 'men') {
    same<typeof human.hasBeard, boolean>()
    same<typeof human.name, string>()
    same<NonNullable<typeof human.father>['hasBeard'], boolean>()
    // @ts-expect-error: it was not requested.
    human.children
  }
  if (human?.type === 'women') {
    same<typeof human.maidenName, string | null>()
    same<NonNullable<typeof human.husband>['name'], string>()
    // @ts-expect-error: only the fieldset of women applies.
    human.name
    // @ts-expect-error: it was included without being in the fieldset.
    human.father
  }
  // @ts-expect-error: men have no maiden name.
  await family.list('humans', { fields: { men: ['maidenName'] } })
  // @ts-expect-error: there is no such type.
  await family.list('humans', { fields: { animals: ['name'] } })
}

export async function filters(): Promise<void> {
  await family.list('humans', { filter: and(equals('father.mother.maidenName', 'Hill'), not(equals('father', null))) })
  await family.list('women', { filter: equals('maidenName', null) })
  await family.list('women', { filter: lessThan('maidenName', attributeRef('husband.name')) })
  await shop.list('customers', { filter: and(equals('address.city', 'Oslo'), has('orders', greaterThan('amount', 3))) })
  await family.list('humans', { filter: wives })

  // @ts-expect-error: there is no such attribute.
  await family.list('humans', { filter: equals('nmae', 'Ada') })
  // @ts-expect-error: nor on that type.
  await family.list('humans', { filter: equals('father.nmae', 'Ada') })
  // @ts-expect-error: names are text.
  await family.list('humans', { filter: equals('name', 3) })
  // @ts-expect-error: name is not nullable.
  await family.list('humans', { filter: equals('name', null) })
  // @ts-expect-error: fields of derived types are behind isType.
  await family.list('humans', { filter: equals('hasBeard', true) })
  // @ts-expect-error: it is no field of women.
  await family.list('humans', { filter: isType('women', equals('hasBeard', true)) })
  // @ts-expect-error: no woman is a man.
  await family.list('women', { filter: isType('men') })
  // @ts-expect-error: all fathers are men anyway.
  await family.list('humans', { filter: relatedIsType('father', 'women') })
  // @ts-expect-error: there is one father at most.
  await family.list('humans', { filter: has('father') })
  // @ts-expect-error: a relationship is compared with null alone.
  await family.list('humans', { filter: equals('father', '1') })
  // @ts-expect-error: booleans have no order.
  await family.list('men', { filter: lessThan('hasBeard', true) })
  // @ts-expect-error: booleans are no text.
  await family.list('men', { filter: contains('hasBeard', 'x') })
  // @ts-expect-error: there must be a value.
  await family.list('humans', { filter: any('name', []) })
  // @ts-expect-error: only what is to-many can be counted.
  await family.list('humans', { filter: equals('count(father)', 1) })
  // @ts-expect-error: there is no such attribute to compare with.
  await family.list('humans', { filter: equals('name', attributeRef('nmae')) })
  // @ts-expect-error: a name is no number.
  await family.list('humans', { filter: greaterThan('count(children)', attributeRef('name')) })
  // @ts-expect-error: it is a filter for humans.
  await shop.list('orders', { filter: wives })
  // @ts-expect-error: an address as a whole is compared with nothing.
  await shop.list('customers', { filter: equals('address', 'Oslo') })
  // @ts-expect-error: it has no such member.
  await shop.list('customers', { filter: equals('address.town', 'Oslo') })
}

export async function sortKeys(): Promise<void> {
  await family.list('humans', { sort: [ascending('maidenName'), descending('men:hasBeard'), ascending('father.name')] })
  await family.list('humans', { sort: [ascending('count(men:children)'), descending('count(women:husband.children)')] })
  // @ts-expect-error: the type is part of the path that is counted.
  await family.list('humans', { sort: [ascending('men:count(children)')] })
  // @ts-expect-error: men have no husbands.
  await family.list('humans', { sort: [ascending('count(men:husband.children)')] })
  // @ts-expect-error: there is no such attribute.
  await family.list('humans', { sort: [ascending('nmae')] })
  // @ts-expect-error: it is no field of women.
  await family.list('humans', { sort: [ascending('women:hasBeard')] })
}

export async function writes(): Promise<void> {
  const relationships = { husband: ARTHUR, children: [] }
  const ada = await family.create('women', { attributes: { name: 'Ada' }, relationships })
  same<typeof ada.type, 'women'>()
  await family.update(ada, { relationships: { children: [ARTHUR, { type: 'women', id: '2' }] } })
  await family.setLinkage(ada, 'children', [ARTHUR, { type: 'humans', id: '2' }])
  await family.delete({ type: 'humans', id: '2' })
  await family.update(await family.get('humans', '1'), { attributes: { name: 'Ada' } })
  await shop.create('orders', { attributes: { amount: 3 }, relationships: { customer: ADA } })

  // @ts-expect-error: humans are abstract.
  await family.create('humans', { attributes: { name: 'Ada' } })
  // @ts-expect-error: nor can a document name the type of its resource so.
  await family.update({ type: 'humans', id: '2' }, { attributes: { name: 'Ada' } })
  // @ts-expect-error: nor that of a related resource.
  await family.update(ada, { relationships: { children: [{ type: 'humans', id: '2' }] } })
  // @ts-expect-error: women have no beards.
  await family.create('women', { attributes: { hasBeard: false } })
  // @ts-expect-error: names are text.
  await family.create('women', { attributes: { name: 3 } })
  // @ts-expect-error: no woman is a husband.
  await family.update(ada, { relationships: { husband: { type: 'women', id: '1' } } })
  // @ts-expect-error: there are many children, or none.
  await family.update(ada, { relationships: { children: null } })
  // @ts-expect-error: a human that may be a man has no maiden name.
  await family.update(await family.get('humans', '1'), { attributes: { maidenName: 'Hill' } })
  // @ts-expect-error: the server counts versions.
  await shop.update({ type: 'orders', id: '1' }, { attributes: { version: 3 } })
  await totals.create('totals', { attributes: {} })
  // @ts-expect-error: clients write no attribute of totals.
  await totals.create('totals', { attributes: { amount: 1 } })
  // @ts-expect-error: nor do they change one.
  await totals.update({ type: 'totals', id: '1' }, { attributes: { amount: 1 } })
  // @ts-expect-error: every order has an amount.
  await shop.create('orders', { attributes: { note: 'soon' }, relationships: { customer: ADA } })
  // @ts-expect-error: and a customer.
  await shop.create('orders', { attributes: { amount: 3 } })
  // @ts-expect-error: customer is required.
  await shop.setLinkage({ type: 'orders', id: '1' }, 'customer', null)
  // @ts-expect-error: there is one wife at most.
  await family.addLinkage(ARTHUR, 'wife', [ada])
  // @ts-expect-error: women have no wives.
  await family.setLinkage(ada, 'wife', null)
  const { children } = await family.get('women', '2', { include: { children: true } })
  // @ts-expect-error: it may be a page of the children, and would replace all of them.
  await family.update(ada, { relationships: { children } })
  if (!children.hasMore) await family.update(ada, { relationships: { children } })
  const sons = await family.get('women', '2', { include: { children: { filter: isType('men') } } })
  // @ts-expect-error: the filter leaves out children.
  if (!sons.children.hasMore) await family.update(sons, { relationships: { children: sons.children } })
}

export async function related(): Promise<void> {
  const father = await family.getRelated(ARTHUR, 'father')
  same<typeof father, ResourceOf<Family, 'men'> | null>()
  const customer = await shop.getRelated({ type: 'orders', id: '1' }, 'customer')
  same<typeof customer.type, 'customers'>()
  const { data } = await family.getLinkage(ARTHUR, 'children')
  same<typeof data, RelatedList<Identifier<'men'> | Identifier<'women'>>>()
  // @ts-expect-error: it may be a page of the children, and would replace all of them.
  await family.setLinkage(ARTHUR, 'children', data)
  if (!data.hasMore) await family.setLinkage(ARTHUR, 'children', data)
  await family.addLinkage(ARTHUR, 'children', data)
  // @ts-expect-error: there are many.
  await family.getRelated(ARTHUR, 'children')
  // @ts-expect-error: there is one.
  await family.listRelated(ARTHUR, 'father')
}

export async function operations(): Promise<void> {
  const { man } = await family.performOperations((operations) => {
    const man = operations.create('men', { attributes: { name: 'Max' } })
    operations.create('women', { relationships: { husband: man } })
    // @ts-expect-error: no man is a mother.
    operations.create('women', { relationships: { mother: man } })
    return { man }
  })
  same<typeof man, ResourceOf<Family, 'men'>>()
  // @ts-expect-error: outside of operations local ids mean nothing.
  await family.update({ type: 'men', lid: '0' }, { attributes: { name: 'Max' } })
}

/** TypeScript identifies a class without own members with its base; a protected member distinguishes them. */
declare abstract class Vehicle {
  id: number
  name: string
}
declare class Car extends Vehicle {
  doors: number
}
declare class Bicycle extends Vehicle {
  protected readonly isBicycle: true
}
type Garage = InferApi<{ vehicles: typeof Vehicle; cars: typeof Car; bicycles: typeof Bicycle }>
same<ResourceOf<Garage, 'vehicles'>['type'], 'cars' | 'bicycles'>()
same<ResourceOf<Garage, 'bicycles'>, { readonly type: 'bicycles'; readonly id: string; readonly name: string }>()

/** The options of a base apply to derived types. */
declare abstract class Person {
  id: number
  type: 'staff' | 'guest'
  fullName: string
  secret: string
  boss: Promise<Employee | null>
  shout(): string
  protected inside: string
}
declare class Employee extends Person {
  type: 'staff'
  hired: Date
  settings: { dark: boolean } | null
  parts: Uint8Array[]
}
type Office = InferApi<
  { people: typeof Person; employees: typeof Employee },
  {
    people: {
      names: { fullName: 'full-name'; boss: 'managed-by'; type: 'category' }
      hidden: 'secret'
      required: 'fullName'
    }
  }
>
declare const office: Client<Office>

export async function details(): Promise<void> {
  const { data } = await office.list('people', {
    include: { 'managed-by': true },
    filter: and(equals('full-name', 'Ada'), isType('employees', lessThan('hired', new Date()))),
  })
  const employee = data[0]
  same<
    typeof employee,
    | {
        readonly type: 'employees'
        readonly id: string
        readonly category: 'staff'
        readonly 'full-name': string
        readonly hired: string
        readonly settings: { readonly dark: boolean } | null
        readonly parts: readonly string[]
        readonly 'managed-by': ResourceOf<Office, 'employees'> | null
      }
    | undefined
  >()
  await office.create('employees', { attributes: { 'full-name': 'Ada', hired: new Date() } })
  // @ts-expect-error: full-name is required.
  await office.create('employees', { attributes: { hired: new Date() } })
  // @ts-expect-error: it is the name of the property only.
  await office.list('people', { filter: equals('fullName', 'Ada') })
}
