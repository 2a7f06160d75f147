import 'reflect-metadata'
import { Type } from 'class-transformer'
import { IsBoolean, IsInt, IsString, MaxLength, Min, MinLength, ValidateBy, ValidateNested } from 'class-validator'
import { Attribute, createJsonApi, type ResourceClass, type StandardSchema, ToMany, ToOne } from 'stemma'
import type { Response } from 'supertest'
import { Column, ManyToOne, OneToMany, PrimaryGeneratedColumn } from 'typeorm'
import * as valibot from 'valibot'
import { z } from 'zod'
import type { Any } from '../../support/any'
import { define, setUp, startApi, useApi } from '../../support/api'
import { DATETIME } from '../../support/database'
import { createResource, resource, toOne, updateResource } from '../../support/documents'
import { DerivedResource, HierarchyRoot, StoredResource } from '../../support/resource-decorators'
import { withoutPackage } from '../../support/without-package'

class Address {
  @IsString() @MinLength(2) city!: string
}

/** Compares with another property. */
const NotBelow = (other: string) =>
  ValidateBy({
    name: 'notBelow',
    validator: {
      validate: (value: number, { object }: Any) => value >= object[other],
      defaultMessage: () => `$property is below ${other}`,
    },
  })

const NULLABLE_JSON = { type: 'simple-json', nullable: true } as const

@HierarchyRoot('shops', { abstract: true })
abstract class Shop {
  @PrimaryGeneratedColumn() id!: number
  @MinLength(3) @MaxLength(10, { groups: ['update'] }) @Attribute() @Column({ type: 'varchar' }) name!: string
  @Min(0) @Attribute() @Column({ type: 'int', default: 0 }) lowest!: number
  @NotBelow('lowest') @Attribute({ name: 'top' }) @Column({ type: 'int', default: 10 }) highest!: number
  @ValidateNested() @Type(() => Address) @Attribute() @Column(NULLABLE_JSON) addresses!: readonly Address[] | null
  @IsBoolean() @Attribute({ capabilities: ['view'] }) @Column({ type: 'boolean', nullable: true }) hidden!: unknown
  @ToOne() @ManyToOne('Shop', 'parts', { nullable: true }) whole!: Shop | null
  @ToMany() @OneToMany('Shop', 'whole') parts!: Shop[]
}

@DerivedResource('bakeries')
class Bakery extends Shop {
  @IsInt() @Attribute() @Column({ type: 'int', nullable: true }) ovens!: number | null
}

/** Its base is a stored type. */
@DerivedResource('mills')
class Mill extends Bakery {
  @MinLength(5) @Attribute() @Column({ type: 'varchar', default: 'stone' }) wheel!: string
}

const event = z
  .object({
    title: z.string().min(3, 'too short').optional(),
    starts: z.iso.datetime().nullable(),
    ends: z.string().nullable(),
    seats: z.number().max(100),
    place: z.object({ 'street/number': z.string().min(2) }).nullish(),
  })
  .refine(({ starts, ends }) => starts === null || ends === null || starts <= ends, { path: ['ends'], error: 'order' })

@HierarchyRoot('events', { schema: event })
class Event {
  @PrimaryGeneratedColumn() id!: number
  @Attribute() @Column({ type: 'varchar', nullable: true }) title!: string | null
  @Attribute() @Column({ ...DATETIME, nullable: true }) starts!: Date | null
  @Attribute() @Column({ ...DATETIME, nullable: true }) ends!: Date | null
  @Attribute() @Column({ type: 'bigint', nullable: true }) visitors!: string | null
  @Attribute() @Column({ type: 'int', default: 50 }) seats!: number
  @Attribute() @Column(NULLABLE_JSON) place!: object | null
}

const knownBand = valibot.checkAsync(async (name: string) => name !== 'Unknown', 'no such band')
const concert: StandardSchema = valibot.objectAsync({ band: valibot.pipeAsync(valibot.string(), knownBand) })

@DerivedResource('concerts', { schema: concert })
class Concert extends Event {
  @Attribute() @Column({ type: 'varchar', nullable: true }) band!: string | null
}

const api = setUp(() => startApi([Shop, Bakery, Mill, Event, Concert]))

/** `attribute.validation /name: too short` */
function validationErrors({ body: { errors = [] } }: Response): readonly string[] {
  const pointerOf = ({ source }: Any) => source.pointer.replace('/data/attributes', '')
  return errors.map((error: Any) => `${error.code} ${pointerOf(error)}: ${error.detail}`).toSorted()
}

async function patch(type: string, entity: ResourceClass, stored: object, attributes: object) {
  return updateResource(api, type, await api.add(entity, stored), attributes)
}

function expectInvalid(response: Response, success: number, errors: readonly string[]): void {
  expect(validationErrors(response)).toEqual(errors.map((error) => `attribute.validation ${error}`))
  expect(response.status).toBe(errors.length === 0 ? success : 422)
}

const bakery = { name: 'Ada', ovens: 1 }
const SHORT = '/name: name must be longer than or equal to 3 characters'
const LONG = '/name: name must be shorter than or equal to 10 characters'
const CITY = '/addresses/1/city: city must be longer than or equal to 2 characters'
const LOW = ': highest is below lowest'

describe('decorators of class-validator', () => {
  it.each<[string, object, readonly string[]]>([
    ['inherited properties', { name: 'A', ovens: 1 }, [SHORT]],
    ['missing attributes', { name: 'Ada' }, [': ovens must be an integer number']],
    ['defaults', { ...bakery, lowest: 11 }, [LOW]],
    ['values in JSON', { ...bakery, addresses: [{ city: 'Rome' }, { city: 'X' }] }, [CITY]],
    ['create without those of the group update', { ...bakery, name: 'A long name' }, []],
  ])('validate %s', async (_what, attributes, errors) => {
    expectInvalid(await createResource(api, 'bakeries', attributes), 201, errors)
  }) // anchor: W/P-02, W/P-09

  it('are reported together with other mistakes', async () => {
    const attributes = { name: 'A', ovens: 'many', nothing: 1, lowest: -1 }
    expect(validationErrors(await api.unchanged(() => createResource(api, 'bakeries', attributes)))).toEqual([
      expect.stringContaining('attribute.type /ovens'),
      expect.stringContaining('attribute.unknown /nothing'),
      'attribute.validation /lowest: lowest must not be less than 0',
      `attribute.validation ${SHORT}`,
    ])
  })

  it.each<[string, object, object, readonly string[]]>([
    ['report sent values', bakery, { name: 'A' }, [SHORT]],
    ['compare sent values with stored ones', { ...bakery, highest: 5 }, { lowest: 6 }, [LOW]],
    ['ignore stored values that are invalid', { name: 'A', ovens: 1 }, { ovens: 2 }, []],
    ['report an invalid value that is sent again', { name: 'A', ovens: 1 }, { name: 'A' }, [SHORT]],
    ['include those of the group update', bakery, { name: 'A long name' }, [LONG]],
    ['validate null', bakery, { ovens: null }, ['/ovens: ovens must be an integer number']],
  ])('of an update %s', async (_what, stored, attributes, errors) => {
    expectInvalid(await patch('bakeries', Bakery, stored, attributes), 204, errors)
  }) // anchor: W/P-03

  it.each([
    ['PATCH', '', (one: object) => ({ ...one, relationships: { whole: { data: one } } })],
    ['PATCH', '/relationships/whole', (one: object) => one],
    ['POST', '/relationships/parts', (one: object) => [one]],
    ['DELETE', '/relationships/parts', (one: object) => [one]],
  ])('do not validate stored values when %s of the resource%s links it', async (method, path, toData) => {
    const id = await api.add(Bakery, { ...bakery, name: 'A' })
    const data = toData({ type: 'bakeries', id })
    await api.request(method, `/bakeries/${id}${path}`).send({ data }).expect(204)
  }) // anchor: W/P-05, W/P-06

  it('find an invalid attribute before a missing related resource', async () => {
    const id = await api.add(Bakery, bakery)
    const sent = resource('bakeries', id, { name: 'A' }, { whole: toOne('bakeries', '99') })
    expectInvalid(await api.unchanged(() => api.patch(`/bakeries/${id}`).send(sent)), 204, [SHORT])
  }) // anchor: W/P-01, W/P-12

  it('are those of the stored type, whatever type the request names', async () => {
    expectInvalid(await patch('bakeries', Mill, { ...bakery, wheel: 'x' }, { name: 'Ida' }), 204, [])
    const broken = await createResource(api, 'mills', { ...bakery, wheel: 'x' })
    expectInvalid(broken, 201, ['/wheel: wheel must be longer than or equal to 5 characters'])
  })

  it('validate without class-transformer, in Jest too', () =>
    withoutPackage('class-transformer', () =>
      useApi(startApi([Shop, Bakery, Mill]), async (another) =>
        expectInvalid(await createResource(another, 'bakeries', { name: 'A', ovens: 1 }), 201, [SHORT]),
      ),
    ))
})

describe('a schema', () => {
  const day = '2024-05-01T10:00:00.000Z'
  const before = '2024-04-01T10:00:00.000Z'
  const later = '2024-05-01T12:00:00+02:00'
  const number = '/place/street~1number: Too small: expected string to have >=2 characters'
  const [short, noBand] = ['/title: too short', '/band: no such band']
  const band = ': Invalid type: Expected string but received null'

  it.each<[string, string, object, readonly string[]]>([
    ['validates an attribute', 'events', { title: 'A' }, ['/title: too short']],
    ['points into JSON', 'events', { place: { 'street/number': '1' } }, [number]],
    ['validates attributes together', 'events', { starts: day, ends: before }, ['/ends: order']],
    ['accepts optional and nullable attributes', 'events', {}, []],
    ['gets values as in documents', 'events', { starts: later, ends: day, visitors: '9007199254740993' }, []],
    ['of a base is used with that of the type', 'concerts', { title: 'A', band: 'Unknown' }, [noBand, short]],
    ['can require more than the column', 'concerts', {}, [band]],
  ])('%s', async (_what, type, attributes, errors) =>
    expectInvalid(await createResource(api, type, attributes), 201, errors),
  )

  it.each<[string, object, object, readonly string[]]>([
    ['gets sent values together with stored ones', { starts: new Date(day) }, { ends: before }, ['/ends: order']],
    ['points to the attributes when the field was not sent', { ends: new Date(before) }, { starts: day }, [': order']],
    ['ignores stored values that are invalid', { seats: 200 }, { title: 'Fair' }, []],
    ['reports sent values beside stored ones that are invalid', { seats: 200 }, { title: 'A' }, ['/title: too short']],
    ['validates null', { title: 'Fair' }, { title: null }, ['/title: Invalid input: expected string, received null']],
    ['is not used without attributes', { title: 'A' }, {}, []],
  ])('of an update %s', async (_what, stored, attributes, errors) => {
    expectInvalid(await patch('events', Event, stored, attributes), 204, errors)
  })

  it('is that of the stored type, whatever type the request names', async () => {
    const id = await api.add(Concert, { band: 'Muse' })
    await updateResource(api, 'events', id, { title: 'A' }).expect(422)
    const named = resource('concerts', id, { band: 'Unknown' })
    await api.patch(`/events/${id}`).send(named).expect(422)
  })

  it('is not used for a resource that does not exist', async () => {
    await updateResource(api, 'events', '999', { title: 'A' }).expect(404)
  })

  it('validates the values that prepareWrite sets', () => {
    const naming = define(Concert, {
      prepareWrite: ({ kind, sentFields }) => (kind === 'create' && !sentFields.has('title') ? { band: 'Abba' } : {}),
    })
    return useApi(startApi([Event, Concert], { definitions: [naming] }), async (filled) => {
      await createResource(filled, 'concerts', {}).expect(201)
      expectInvalid(await createResource(filled, 'concerts', { title: 'Fair' }), 201, [band])
    })
  })

  it.each([
    ['an object', { min: 3 }],
    ['null', null],
    ['of another version', { '~standard': { version: 2, vendor: 'x', validate: () => ({ value: 1 }) } }],
  ])('is refused at start-up when it does not follow Standard Schema: %s', (_what, schema) => {
    @StoredResource('wrongs', { schema: schema as unknown as StandardSchema })
    class Wrong {
      @PrimaryGeneratedColumn() id!: number
    }
    expect(() => createJsonApi({ dataSource: api.dataSource, resources: [Wrong] })).toThrow(
      'Wrong: its schema does not follow Standard Schema, version 1.',
    )
  })
})
