import Ajv, { type ValidateFunction } from 'ajv/dist/2020'
import fc from 'fast-check'
import { Attribute, ToMany, ToOne } from 'stemma'
import { Column, ManyToOne, OneToMany, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm'
import { atLeast, holdsFor, TIME_LIMIT } from '../../properties/support/random'
import type { Any } from '../../support/any'
import { setUp, startApi } from '../../support/api'
import { DATABASE, DATETIME } from '../../support/database'
import { newResource, resource } from '../../support/documents'
import { ATOMIC } from '../../support/operate'
import { StoredResource } from '../../support/resource-decorators'

// What the OpenAPI document allows in a body is never refused as malformed, and what it forbids is always refused.

@StoredResource('places', { clientGeneratedIds: 'allowed' })
class Place {
  @PrimaryGeneratedColumn('uuid') id: string
  @Attribute() @Column({ type: 'varchar', length: 20, default: '' }) name: string
  @Attribute() @Column({ type: 'uuid', nullable: true }) token: string | null
  @ToMany() @OneToMany('Seat', 'place') seats: Seat[]
  @ToOne() @ManyToOne('Place', 'parts', { nullable: true }) whole: Place | null
  @ToMany() @OneToMany('Place', 'whole') parts: Place[]
}

@StoredResource('seats', { clientGeneratedIds: 'required' })
class Seat {
  @PrimaryColumn({ type: 'varchar', length: 4 }) row: string
  @PrimaryColumn({ type: 'int' }) number: number
  @ToOne() @ManyToOne('Place', 'seats', { nullable: true }) place: Place | null
  @ToMany() @OneToMany('Visit', 'seat') visits: Visit[]
}

@StoredResource('visits')
class Visit {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'int', default: 0 }) minutes: number
  @Attribute() @Column({ type: 'simple-json' }) notes: unknown
  @Attribute() @Column({ ...DATETIME, nullable: true }) at: Date | null
  @Attribute() @Column({ type: 'time', precision: DATABASE === 'sqlite' ? 12 : 3, nullable: true }) start: string | null
  @ToOne() @ManyToOne('Seat', 'visits', { nullable: true }) seat: Seat | null
}

const HERE = '11111111-1111-4111-8111-111111111111'
const THERE = '22222222-2222-4222-8222-222222222222'
const api = setUp(() => startApi([Place, Seat, Visit], { openApi: true, fieldFilters: true, onError: () => undefined }))
let document: Any
beforeAll(async () => {
  for (const id of [HERE, THERE]) await api.add(Place, { id })
  await api.add(Seat, { row: 'A', number: 1, place: HERE })
  await api.add(Visit, { minutes: 5, notes: 'dry' })
  document = (await api.get('/openapi.json').unchecked()).body
})

jest.setTimeout(TIME_LIMIT)
const validators = new Map<string, ValidateFunction>()

/** Whether the document allows this body of an operation. */
function allows({ method, template }: Operation, body: unknown): boolean {
  const key = `${method} ${template}`
  const validate = validators.get(key) ?? compile(document.paths[template][method.toLowerCase()])
  validators.set(key, validate)
  return validate(body) === true
}

function compile({ requestBody }: Any): ValidateFunction {
  const [content] = Object.values<Any>(requestBody.content)
  const { schema } = content
  return new Ajv({ strict: false, validateFormats: false }).compile({ ...schema, components: document.components })
}

type Operation = Readonly<{ method: string; template: string; path: string; body: object }>

const operation = (method: string, template: string, body: object, id = HERE): Operation => {
  // Without the members that are undefined.
  return { method, template, path: template.replace('{id}', id), body: JSON.parse(JSON.stringify(body)) }
}

const seat = { type: 'seats', id: 'A~1' }
const place = { type: 'places', id: THERE }
const visit = { type: 'visits', id: '1' }
const here = { type: 'places', id: HERE }
const local = { type: 'places', lid: 'a' }
const whole = { type: 'places', relationship: 'whole' }
const ofPlace = { whole: { data: { type: 'places', lid: 'new' } }, seats: { data: [seat] } }
const newPlace = newResource('places', { name: 'A', token: THERE }, ofPlace).data

const OPERATIONS: readonly Operation[] = [
  operation('POST', '/places', { data: { lid: 'new', ...newPlace } }),
  operation('POST', '/visits', newResource('visits', { minutes: 7, notes: [] }, { seat: { data: seat } })),
  operation('PATCH', '/places/{id}', resource('places', HERE, { name: 'B' }, { whole: { data: place } })),
  operation('PATCH', '/places/{id}/relationships/whole', { data: place, included: [{ ...place, attributes: {} }] }),
  operation('PATCH', '/seats/{id}/relationships/visits', { data: [visit] }, 'A~1'),
  operation('POST', '/places/{id}/relationships/seats', { data: [seat] }),
  operation('DELETE', '/places/{id}/relationships/parts', { data: [place] }),
  operation('POST', '/operations', {
    'atomic:operations': [
      { op: 'add', href: '/places', data: local, meta: { version: '*' } },
      { op: 'update', ref: here, ...resource('places', HERE, { name: 'C' }) },
      { op: 'update', data: { ...local, relationships: { seats: { data: [seat] } } } },
      { op: 'update', ref: { ...whole, lid: 'a' }, data: place },
      { op: 'add', href: '/seats/A~1/relationships/visits', data: [visit] },
      { op: 'remove', ref: { ...seat, relationship: 'visits' }, data: [visit] },
      { op: 'remove', ref: local },
    ],
  }),
]

/** A change of one place in a body: a member that is added, taken away, or given another value. */
type Change = Readonly<{ at: number; how: 'add' | 'remove' | 'replace'; member: string; value: unknown }>

const MEMBERS = 'id lid ref href data relationship meta attributes errors included more version'.split(' ')
const VALUES: readonly unknown[] = [
  ...[null, 0, 7, true, '', 'a', 'new', '01', '1', 'A~1', 'A~x', 'a~b~c', '.', HERE, THERE.toUpperCase()],
  ...['x'.repeat(30), 'add', 'update', 'remove', '/places', `/places/${HERE}`],
  ...[[], {}, seat, place, visit, [seat], { data: null }, local, { ...here, lid: 'a' }, { ...whole, id: HERE }],
]

const change: fc.Arbitrary<Change> = fc.record({
  at: fc.nat({ max: 200 }),
  how: fc.constantFrom('add', 'remove', 'replace'),
  member: fc.constantFrom(...MEMBERS),
  value: fc.constantFrom(...VALUES),
})

/** Every object and list within a value, itself too. */
function containersIn(value: unknown): readonly Any[] {
  if (typeof value !== 'object' || value === null) return []
  return [value, ...Object.values(value).flatMap(containersIn)]
}

function changed(body: object, { at, how, member, value }: Change): unknown {
  const copy = structuredClone(body)
  const containers = containersIn(copy)
  const container = containers[at % containers.length]
  const keys = Object.keys(container)
  const key = keys[at % Math.max(keys.length, 1)] ?? member
  if (how === 'add' && Array.isArray(container)) container.push(value)
  else if (how === 'add') container[member] = value
  else if (how === 'replace') container[key] = value
  else if (Array.isArray(container)) container.pop()
  else delete container[key]
  return copy
}

async function send({ method, path }: Operation, body: unknown) {
  const headers = path === '/operations' ? { 'content-type': ATOMIC, accept: ATOMIC } : {}
  const response = await api.request(method, path, { body, headers }).unchecked()
  const errors: readonly Any[] = response.body.errors ?? []
  return { status: response.status, codes: errors.map(({ code }) => code) }
}

it('the document allows the unchanged bodies, and the server accepts them', async () => {
  for (const operation of OPERATIONS) {
    expect([operation.template, allows(operation, operation.body)]).toEqual([operation.template, true])
    expect(await send(operation, operation.body)).toMatchObject({ codes: [] })
  }
})

it('forbids null for a JSON attribute that is not nullable', async () => {
  const visit = operation('POST', '/visits', newResource('visits', { notes: null }))
  expect(allows(visit, visit.body)).toBe(false)
  expect(await send(visit, visit.body)).toEqual({ status: 422, codes: ['attribute.type'] })
})

it.each([
  ['2026-02-01t12:00:00.123000', ''],
  ['2026-02-01T12:00:00.1234Z', '13:45:00Z, with at most 3 digits after the seconds,'],
  ['2026-02-01T12:00:00.1230000000', '13:45:00Z, with at most 9 digits after the seconds,'],
  ['2026-02-01T12Z', 'Expected a date and time like 2024-02-29T13:45:00Z'],
])('agrees with the server on the moment %s, also in a filter', async (at, detail) => {
  const create = operation('POST', '/visits', newResource('visits', { notes: 1, at }))
  const { body } = await api.post('/visits').send(create.body)
  const found = [allows(create, create.body), body.errors?.[0].detail ?? '']
  expect(found).toEqual([!detail, expect.stringContaining(detail)])
  const { schema } = Object.values<Any>(document.components.parameters).find(({ name }) => name === 'filter[at]')
  const { status } = await api.get(`/visits?filter[at]=${encodeURIComponent(at)}`).unchecked()
  expect(status).toBe(new Ajv({ strict: false }).validate(schema, [at]) ? 200 : 400)
})

it('agrees with the server on changed bodies', async () => {
  let [allowed, forbidden] = [0, 0]
  await holdsFor(changedBodies, 1000, async ({ operation, body }) => {
    const { status, codes } = await send(operation, body)
    const seen = `${JSON.stringify(body)} -> ${status} ${codes}`
    if (allows(operation, body)) {
      allowed++
      if (codes.some((code) => MALFORMED.includes(code))) throw new Error(`Allowed, and malformed: ${seen}`)
    } else {
      forbidden++
      if (status < 400) throw new Error(`Forbidden, and accepted: ${seen}`)
    }
  })
  expect(Math.min(allowed, forbidden)).toBeGreaterThan(atLeast(50))
})

const changedBodies = fc
  .record({ operation: fc.constantFrom(...OPERATIONS), changes: fc.array(change, { minLength: 1, maxLength: 2 }) })
  .map(({ operation, changes }) => ({
    url: operation.template,
    operation,
    body: changes.reduce<unknown>((made, each) => changed(made as object, each), operation.body),
  }))

const NUMBERS = ['', '0', '00', '1', '007', '100', '0100', 'x', '-1', '+1', '1.0', '1e1', ' 1']
const PATHS = ['', 'seats:', 'parts.seats:', 'places:parts:', ':', 'parts.:', 'parts..seats:', ' parts:', 'parts::']
const PAGES = PATHS.flatMap((path) => NUMBERS.map((number) => `${path}${number}`))
const OVER = ['99', '101', '110', '200', '1000', '00101']

it.each([
  ['/places', 'size', OVER],
  ['/places', 'number', []],
  ['/places/{id}', 'size', ['1,parts:1']],
])('agrees with the server on the texts of pages: %s page[%s]', async (template, part, others) => {
  const { parameters } = document.paths[template].get
  const pages = parameters.map(({ $ref }: Any) => document.components.parameters[$ref.split('/').pop()])
  const { schema } = pages.find(({ name }: Any) => name === 'page')
  const validate = new Ajv({ strict: false }).compile(schema.properties[part])
  const isAllowed = (text: string) => validate(text) || (/^\d+$/.test(text) && validate(Number(text)))
  const texts = [...PAGES, ...others]
  const around = texts.flatMap((text) => [text, `${text},parts:1`, `parts:1,${text}`, `2,seats:1,${text}`])
  for (const text of around.filter((each) => !isRepeated(each))) {
    const path = `${template.replace('{id}', HERE)}?page[${part}]=${encodeURIComponent(text)}`
    const { status } = await api.get(path).unchecked()
    expect([text, isAllowed(text)]).toEqual([text, status === 200])
  }
})

/** Patterns can't tell that a path occurs twice. */
function isRepeated(text: string): boolean {
  const paths = text.split(',').map((each) => each.replace(/^places:|[^:]*$/g, ''))
  return paths.some((path, index) => path !== '' && paths.indexOf(path) < index)
}

/** What is wrong with such a request is nothing of the database, of rules or of other operations. */
const MALFORMED = [
  ...['document.shape', 'document.type-unknown', 'attribute.type', 'resource.client-id-forbidden', 'resource.id-value'],
]
