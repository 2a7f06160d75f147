import 'reflect-metadata'
import { Type } from 'class-transformer'
import {
  IsBoolean,
  IsInt,
  IsString,
  MaxLength,
  Min,
  MinLength,
  registerDecorator,
  ValidateNested,
  type ValidationArguments,
} from 'class-validator'
import { Attribute, createJsonApi, Resource, ResourceDefinition, type ResourceWrite, type StandardSchema } from 'stemma'
import { ChildEntity, Column, Entity, PrimaryGeneratedColumn, TableInheritance } from 'typeorm'
import * as valibot from 'valibot'
import { z } from 'zod'
import { startApi, type TestApi } from '../../support/api'
import { DATETIME } from '../../support/database'
import { newResource, resource } from '../../support/documents'

// What the application says of values: schemas of any library, and the decorators of class-validator.

class Address {
  @IsString() @MinLength(2) city!: string
}

/** A decorator that looks at another property. */
function NotBelow(other: string): PropertyDecorator {
  return (target, propertyName) =>
    registerDecorator({
      name: 'notBelow',
      target: target.constructor,
      propertyName: String(propertyName),
      validator: {
        validate: (value: number, { object }: ValidationArguments) =>
          value >= Number((object as Readonly<Record<string, unknown>>)[other]),
        defaultMessage: () => `$property is below ${other}`,
      },
    })
}

@Resource('shops', { abstract: true })
@Entity('shops')
@TableInheritance({ column: { type: 'varchar', name: 'kind' } })
abstract class Shop {
  @PrimaryGeneratedColumn() id!: number
  @MinLength(3) @MaxLength(10, { groups: ['update'] }) @Attribute() @Column({ type: 'varchar' }) name!: string
  @Min(0) @Attribute() @Column({ type: 'int', default: 0 }) lowest!: number
  @NotBelow('lowest')
  @Attribute({ name: 'top' })
  @Column({ type: 'int', default: 10 })
  highest!: number
  @ValidateNested()
  @Type(() => Address)
  @Attribute()
  @Column({ type: 'simple-json', nullable: true })
  addresses!: readonly Address[] | null
  @IsBoolean() @Attribute({ capabilities: ['view'] }) @Column({ type: 'boolean', nullable: true }) hidden!:
    | boolean
    | null
}

@Resource('bakeries')
@ChildEntity()
class Bakery extends Shop {
  @IsInt() @Attribute() @Column({ type: 'int', nullable: true }) ovens!: number | null
}

/** Derives from a type that can be stored. */
@Resource('mills')
@ChildEntity()
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

@Resource('events', { schema: event })
@Entity('events')
@TableInheritance({ column: { type: 'varchar', name: 'kind' } })
class Event {
  @PrimaryGeneratedColumn() id!: number
  @Attribute() @Column({ type: 'varchar', nullable: true }) title!: string | null
  @Attribute() @Column({ ...DATETIME, nullable: true }) starts!: Date | null
  @Attribute() @Column({ ...DATETIME, nullable: true }) ends!: Date | null
  @Attribute() @Column({ type: 'bigint', nullable: true }) visitors!: string | null
  @Attribute() @Column({ type: 'int', default: 50 }) seats!: number
  @Attribute() @Column({ type: 'simple-json', nullable: true }) place!: object | null
}

const concert: StandardSchema = valibot.objectAsync({
  band: valibot.pipeAsync(
    valibot.string(),
    valibot.checkAsync((name) => Promise.resolve(name !== 'Nobody'), 'no such band'),
  ),
})

@Resource('concerts', { schema: concert })
@ChildEntity()
class Concert extends Event {
  @Attribute() @Column({ type: 'varchar', nullable: true }) band!: string | null
}

let api: TestApi
beforeAll(async () => {
  api = await startApi([Shop, Bakery, Mill, Event, Concert])
})
afterAll(() => api.close())

type Attributes = Readonly<Record<string, unknown>>
interface Mistake {
  readonly code: string
  readonly detail: string
  readonly source: { readonly pointer: string }
}

/** `attribute.invalid /name: too short` */
function mistakesIn({ body }: { readonly body?: { readonly errors?: readonly Mistake[] } }): readonly string[] {
  const said = (body?.errors ?? []).map(({ code, detail, source: { pointer } }) =>
    [code, `${pointer.replace('/data/attributes', '')}:`, detail].join(' '),
  )
  return said.toSorted()
}

const post = (type: string, attributes: Attributes, to = api) => to.post(`/${type}`).send(newResource(type, attributes))

async function patch(entity: typeof Bakery | typeof Event, stored: object, attributes: Attributes, named?: string) {
  const id = await api.add(entity, { ...stored })
  const type = named ?? { Bakery: 'bakeries', Mill: 'mills', Event: 'events', Concert: 'concerts' }[entity.name] ?? ''
  return api.patch(`/${type}/${id}`).send(resource(type, id, attributes))
}

const bakery = { name: 'Ada', ovens: 1 }

describe('decorators of class-validator', () => {
  it.each<[string, Attributes, readonly string[]]>([
    [
      'are all asked, inherited ones too',
      { name: 'A', ovens: 1 },
      ['/name: name must be longer than or equal to 3 characters'],
    ],
    ['see what is left out', { name: 'Ada' }, [': ovens must be an integer number']],
    ['see defaults', { ...bakery, lowest: 11 }, [': highest is below lowest']],
    [
      'point into JSON',
      { ...bakery, addresses: [{ city: 'Rome' }, { city: 'X' }] },
      ['/addresses/1/city: city must be longer than or equal to 2 characters'],
    ],
    ['may be of the group create or update', { ...bakery, name: 'A long name' }, []],
  ])('%s', async (_what, attributes, mistakes) => {
    const answer = await post('bakeries', attributes).expect(mistakes.length === 0 ? 201 : 422)
    expect(mistakesIn(answer)).toEqual(mistakes.map((each) => `attribute.invalid ${each}`))
  })

  it('speak together with all else that is wrong with the attributes', async () => {
    const attributes = { name: 'A', ovens: 'many', nothing: 1, lowest: -1 }
    expect(mistakesIn(await api.unchanged(() => post('bakeries', attributes)))).toEqual([
      'attribute.invalid /lowest: lowest must not be less than 0',
      'attribute.invalid /name: name must be longer than or equal to 3 characters',
      expect.stringContaining('attribute.unknown /nothing'),
      expect.stringContaining('attribute.value /ovens'),
    ])
  })

  it.each<[string, object, Attributes, readonly string[]]>([
    ['look at what is sent', bakery, { name: 'A' }, ['/name: name must be longer than or equal to 3 characters']],
    ['see it with what is stored', { ...bakery, highest: 5 }, { lowest: 6 }, [': highest is below lowest']],
    ['do not mind what was wrong before', { name: 'A', ovens: 1 }, { ovens: 2 }, []],
    [
      'mind it where it is sent again',
      { name: 'A', ovens: 1 },
      { name: 'A' },
      ['/name: name must be longer than or equal to 3 characters'],
    ],
    [
      'may be of the group create or update',
      bakery,
      { name: 'A long name' },
      ['/name: name must be shorter than or equal to 10 characters'],
    ],
    ['say what null is', bakery, { ovens: null }, ['/ovens: ovens must be an integer number']],
  ])('of an update %s', async (_what, stored, attributes, mistakes) => {
    const answer = await patch(Bakery, stored, attributes)
    expect(answer.status).toBe(mistakes.length === 0 ? 204 : 422)
    expect(mistakesIn(answer)).toEqual(mistakes.map((each) => `attribute.invalid ${each}`))
  })

  it('of the stored type speak, whatever type is named', async () => {
    const answer = await patch(Mill, { ...bakery, wheel: 'x' }, { name: 'Ida' }, 'bakeries')
    expect(answer.status).toBe(204)
    const broken = await post('mills', { ...bakery, wheel: 'x' })
    expect(mistakesIn(broken)).toEqual(['attribute.invalid /wheel: wheel must be longer than or equal to 5 characters'])
  })
})

describe('a schema', () => {
  const day = '2024-05-01T10:00:00.000Z'
  const before = '2024-04-01T10:00:00.000Z'

  it.each<[string, string, Attributes, readonly string[]]>([
    ['says what is wrong', 'events', { title: 'A' }, ['/title: too short']],
    [
      'points into JSON',
      'events',
      { place: { 'street/number': '1' } },
      ['/place/street~1number: Too small: expected string to have >=2 characters'],
    ],
    ['sees all attributes together', 'events', { starts: day, ends: before }, ['/ends: order']],
    ['takes what may be left out or null as it is', 'events', {}, []],
    [
      'sees values as documents show them',
      'events',
      { starts: '2024-05-01T12:00:00+02:00', ends: day, visitors: '9007199254740993' },
      [],
    ],
    [
      'of a base holds beside that of the type',
      'concerts',
      { title: 'A', band: 'Nobody' },
      ['/band: no such band', '/title: too short'],
    ],
    [
      'of a type demands what the column does not',
      'concerts',
      {},
      [': Invalid type: Expected string but received null'],
    ],
  ])('%s', async (_what, type, attributes, mistakes) => {
    const answer = await post(type, attributes).expect(mistakes.length === 0 ? 201 : 422)
    expect(mistakesIn(answer)).toEqual(mistakes.map((each) => `attribute.invalid ${each}`))
  })

  it.each<[string, object, Attributes, readonly string[]]>([
    ['sees what is sent with what is stored', { starts: new Date(day) }, { ends: before }, ['/ends: order']],
    ['points to what was sent of it', { ends: new Date(before) }, { starts: day }, [': order']],
    ['does not mind what was wrong before', { seats: 200 }, { title: 'Fair' }, []],
    ['minds what is wrong now', { seats: 200 }, { title: 'A' }, ['/title: too short']],
    [
      'says what null is',
      { title: 'Fair' },
      { title: null },
      ['/title: Invalid input: expected string, received null'],
    ],
  ])('of an update %s', async (_what, stored, attributes, mistakes) => {
    const answer = await patch(Event, stored, attributes)
    expect(answer.status).toBe(mistakes.length === 0 ? 204 : 422)
    expect(mistakesIn(answer)).toEqual(mistakes.map((each) => `attribute.invalid ${each}`))
  })

  it('of the stored type speaks, whatever type is named', async () => {
    const id = await api.add(Concert, { band: 'Muse' })
    const body = (type: string, attributes: Attributes) => resource(type, id, attributes)
    await api
      .patch(`/events/${id}`)
      .send(body('events', { title: 'A' }))
      .expect(422)
    await api
      .patch(`/events/${id}`)
      .send(body('concerts', { band: 'Nobody' }))
      .expect(422)
  })

  it('is not asked where no attribute is sent, nor for what is not there', async () => {
    expect((await patch(Event, { title: 'A' }, {})).status).toBe(204)
    const gone = resource('events', '999', { title: 'A' })
    await api.patch('/events/999').send(gone).expect(404)
  })
})

describe('where rules fill in values', () => {
  class Naming extends ResourceDefinition<Concert> {
    override readonly resource = Concert
    override prepareWrite({ kind, sent }: ResourceWrite<Concert>) {
      return kind === 'create' && !sent.has('title') ? { band: 'Abba' } : {}
    }
  }

  it('validators look when they have done so', async () => {
    const filled = await startApi([Event, Concert], { definitions: [new Naming()] })
    await post('concerts', {}, filled).expect(201)
    expect(mistakesIn(await post('concerts', { title: 'Fair' }, filled))).toEqual([
      'attribute.invalid : Invalid type: Expected string but received null',
    ])
    await filled.close()
  })
})

it.each([
  ['no schema', { min: 3 }],
  ['null', null],
  ['of another version', { '~standard': { version: 2, vendor: 'x', validate: () => ({ value: 1 }) } }],
])('what is given as a schema and is none is a mistake of the configuration: %s', async (_what, schema) => {
  @Resource('wrongs', { schema: schema as unknown as StandardSchema })
  @Entity()
  class Wrong {
    @PrimaryGeneratedColumn() id!: number
  }
  const { dataSource } = api
  expect(() => createJsonApi({ dataSource, resources: [Wrong] })).toThrow(
    'Wrong: its schema does not follow Standard Schema, version 1.',
  )
})
