import {
  Attribute,
  equals,
  JsonApiError,
  type JsonApiOptions,
  Resource,
  ResourceDefinition,
  ToMany,
  ToOne,
  withReadConnection,
} from 'stemma'
import * as orm from 'typeorm'

@Resource('people')
@orm.Entity()
export class Person {
  @orm.PrimaryGeneratedColumn() id: number
  @ToMany() @orm.OneToMany('Parcel', 'sender') parcels: Parcel[]
}

@Resource('parcels', { abstract: true })
@orm.Entity()
@orm.TableInheritance({ column: { type: 'varchar', name: 'kind' } })
abstract class Parcel {
  @orm.PrimaryGeneratedColumn() id: number
  @Attribute() @orm.Column({ type: 'varchar' }) owner: string
  @ToOne() @orm.Index() @orm.ManyToOne('Person', 'parcels', { nullable: true }) sender: Person | null
}

@Resource('boxes', { endpoints: ['getCollection', 'getRelated'] })
@orm.ChildEntity()
export class Box extends Parcel {}

@Resource('letters', { endpoints: [] })
@orm.ChildEntity()
class Letter extends Parcel {}

class ParcelDefinition<Resource extends Parcel = Parcel> extends ResourceDefinition<Resource, string> {
  readonly resource: typeof Parcel | typeof Letter = Parcel

  override filter(user: string) {
    return equals('owner', user)
  }

  override setToOne() {}
}

class LetterDefinition extends ParcelDefinition<Letter> {
  override readonly resource = Letter
}

class PersonDefinition extends ResourceDefinition<Person, string> {
  readonly resource = Person

  override addToMany() {}

  override removeFromMany() {}
}

/** The schema would be dropped by each connection that changes it. */
export function configuration(database = process.env.PARCELS_DATABASE ?? ':memory:') {
  const entities = [Person, Parcel, Box, Letter]
  const options = { type: 'better-sqlite3', database, entities, dropSchema: true, synchronize: true } as const
  const dataSource = new orm.DataSource({ ...options, enableWAL: database !== ':memory:' })
  return {
    dataSource,
    resources: entities,
    definitions: [new ParcelDefinition(), new LetterDefinition(), new PersonDefinition()],
    context: async (request) => {
      const user = request.get('user')
      if (user === 'first')
        return await withReadConnection(dataSource, async (found) => (await found.findOneByOrFail(Box, {})).owner)
      if (user === undefined)
        throw new JsonApiError({ status: 401, title: 'Sign in.', detail: 'Send the header user.' })
      return user
    },
    onError: () => {},
  } satisfies JsonApiOptions<string>
}
