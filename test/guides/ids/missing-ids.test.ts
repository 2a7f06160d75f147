import { Attribute, ConfigurationError, createJsonApi, Resource, ToOne } from 'stemma'
import {
  BeforeInsert,
  ChildEntity,
  Column,
  type DataSource,
  Entity,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  TableInheritance,
} from 'typeorm'
import { startApi } from '../../support/api'
import { DATABASE, openDatabase } from '../../support/database'
import { createResource } from '../../support/documents'
import { expectError } from '../../support/expectations'
import { setUp } from '../../support/set-up'

// Clients may send ids, and nothing else gives one.

@Resource('countries')
@Entity()
class Country {
  @PrimaryColumn({ type: 'varchar', length: 2 }) id: string
  @Attribute() @Column({ type: 'varchar', length: 40, default: '' }) name: string
}

@Resource('numbers')
@Entity()
class Numbered {
  @PrimaryColumn({ type: 'int' }) id: number
}

@Resource('seats', { clientIds: 'forbidden' })
@Entity()
class Seat {
  @PrimaryColumn({ type: 'varchar', length: 40 }) id: string
}

@Resource('keepers')
@Entity()
class Keeper {
  @PrimaryGeneratedColumn('uuid') id: string
}

@Resource('nicknames')
@Entity()
class Nickname {
  @PrimaryColumn({ type: 'varchar', length: 40 }) id: string

  @BeforeInsert()
  fillIn(): void {
    this.id ??= 'made'
  }
}

@Resource('capitals')
@Entity()
class Capital {
  @PrimaryColumn({ type: 'varchar', length: 2 }) countryId: string
  @ToOne() @ManyToOne('Country', { nullable: false }) @JoinColumn({ name: 'countryId' }) country: Country
}

const reported: unknown[] = []
const api = setUp(() =>
  startApi([Country, Numbered, Seat, Keeper, Nickname, Capital], {
    clientIds: 'allowed',
    openApi: 'on',
    report: (error) => reported.push(error),
  }),
)

/** SQLite counts rows by an integer key. */
const COUNTED = DATABASE === 'sqlite'

it.each(COUNTED ? ['countries'] : ['countries', 'numbers'])(
  'returns 422 for a POST of %s without an id',
  async (type) => {
    const response = await api.unchanged(() => createResource(api, type))
    expectError(response, 422, '/data', 'resource.id-value')
    expect(response.body.errors[0].detail).toBe(`Expected an id for '${type}', found nothing: the server gives none.`)
    await createResource(api, type, {}, {}, type === 'numbers' ? '7' : 'it').expect(201)
  },
)

it.each(['keepers', 'nicknames', ...(COUNTED ? ['numbers'] : [])])('creates one of %s without an id', async (type) => {
  await createResource(api, type).expect(201)
})

it('reports an id that neither clients nor the server may give', async () => {
  await createResource(api, 'seats').expect(500)
  expect(reported).toHaveLength(1)
})

interface OpenApiDocument {
  readonly components: { readonly schemas: Readonly<Record<string, { readonly required?: readonly string[] }>> }
}

it('says in the OpenAPI document which new resources need an id', async () => {
  const document = (await (await fetch(`${api.url}/openapi.json`)).json()) as OpenApiDocument
  const needing = Object.entries(document.components.schemas)
    .filter(([name, { required }]) => name.endsWith('.create') && required?.includes('id'))
    .map(([name]) => name.split('.')[0])
  expect(needing.sort()).toEqual(COUNTED ? ['countries'] : ['countries', 'numbers'])
})

@Resource('rooms', { abstract: true })
@Entity()
@TableInheritance({ column: { type: 'varchar', name: 'kind' } })
abstract class Room {
  @PrimaryColumn({ type: 'integer' }) id: number
}

@Resource('halls')
@ChildEntity()
class Hall extends Room {}

@Resource('cellars')
@ChildEntity()
class Cellar extends Room {}

describe('an integer key with a table for each concrete type', () => {
  const database = setUp(() => openDatabase([Room, Hall, Cellar], 'perConcreteType'))
  const start = (clientIds: 'allowed' | 'required') => {
    try {
      const { dataSource }: { readonly dataSource: DataSource } = database
      return void createJsonApi({ dataSource, resources: [Room, Hall, Cellar], clientIds, startUp: 'quiet' })
    } catch (error) {
      return error
    }
  }

  it('is refused where each table would make up the same keys', () => {
    const error = start('allowed')
    if (!COUNTED) expect(error).toBeUndefined()
    else {
      expect(error).toBeInstanceOf(ConfigurationError)
      expect(String(error)).toContain(
        "Room.id: SQLite counts it in each table by itself, so that rows of different types would have the same id. Use @PrimaryGeneratedColumn('uuid')",
      )
    }
  })

  it('is accepted where clients have to send ids', () => {
    expect(start('required')).toBeUndefined()
  })
})
