import { ToOne } from 'stemma'
import type { Response } from 'supertest'
import { ManyToOne, PrimaryColumn } from 'typeorm'
import { atLeast } from '../../properties/support/random'
import { combineApi, define, setUp, startApi, startServerOn } from '../../support/api'
import { DATABASE, openDatabase } from '../../support/database'
import { resource } from '../../support/documents'
import { dataAt, expectError, includedKeys, resourceKeys, singleError } from '../../support/expectations'
import { createPause } from '../../support/overlapping-writes'
import { DerivedResource, HierarchyRoot } from '../../support/resource-decorators'
import type { Layout } from '../../support/table-layout'
import { Bookmark, Dog, Goose, RESOURCES, Swan } from './support/animals'

// What foreign keys and unique columns guarantee in one table holds in several tables, also for concurrent writes.

/** Ids start with the name of the type. */
const identify = (id: string) => ({ type: id.split('-')[0], id })
const link = (id: string) => ({ data: identify(id) })
const linkAll = (ids: readonly string[]) => ({ data: ids.map(identify) })

describe.each<Layout>(['single', 'joined', 'tablePerConcreteClass'])('%s', (tables) => {
  let count = 0
  let hold: (() => Promise<void>) | undefined
  const afterWrite = () => hold?.()
  const holding = [define(Dog, { afterWrite }), define(Swan, { afterWrite })]

  const api = setUp(async () => {
    const database = await openDatabase([...RESOURCES, Bookmark], tables)
    const options = { resources: RESOURCES, definitions: holding, maxRetries: 20 }
    return combineApi(database, await startServerOn(database, options))
  })

  const post = (type: string, relationships: object = {}, id = `${type}-${++count}`) =>
    api.post(`/${type}`).send(resource(type, id, undefined, relationships))

  async function add(type: string, relationships: object = {}): Promise<string> {
    const { body } = await post(type, relationships).expect(201)
    return body.data.id
  }

  /** Of all tables. */
  async function storedRows(): Promise<readonly Record<string, unknown>[]> {
    const contents = (await api.contents()) as Record<string, readonly string[]>
    return Object.values(contents).flatMap((texts) => texts.map((text) => JSON.parse(text)))
  }

  /** Expects that every key in these columns, of any table, refers to a row. */
  async function checkKeys(...columns: readonly string[]): Promise<void> {
    const rows = await storedRows()
    const ids = new Set(rows.map(({ id }) => id))
    const keys = rows.flatMap((row) => columns.map((column) => row[column])).filter((key) => key != null)
    expect(keys.filter((key) => !ids.has(key))).toEqual([])
  }

  it('clears references to a deleted row, and increments the versions of the referring rows', async () => {
    const keeper = await add('cats')
    const kept = [
      await add('dogs', { keeper: link(keeper) }),
      await add('kittens', { keeper: link(keeper) }),
      await add('cats', { keeper: link(keeper), friends: linkAll([keeper]) }),
    ]
    await api.delete(`/animals/${keeper}`).expect(204)
    for (const id of kept) {
      const { attributes, relationships } = (await api.get(`/animals/${id}?include=keeper,friends`)).body.data
      expect([attributes.version, relationships.keeper.data, relationships.friends.data]).toEqual([2, null, []])
    }
    await checkKeys('keeperId', 'leftId', 'rightId')
  })

  /** Expects that no row has or names these ids, which are free again. */
  async function checkGone(...ids: readonly string[]): Promise<void> {
    expect(JSON.stringify(await storedRows())).not.toMatch(new RegExp(`\\b(${ids.join('|')})\\b`))
    for (const id of ids) await post(id.split('-')[0] ?? '', {}, id).expect(201)
  }

  it('cascades a delete over rows that refer to each other, and their pairs', async () => {
    const mother = await add('dogs')
    const child = await add('kittens', { mother: link(mother) })
    const grandchild = await add('cats', { mother: link(child) })
    await api.patch(`/animals/${mother}/relationships/mother`).send(link(grandchild)).expect(204)
    const own = await add('dogs')
    await api.patch(`/animals/${own}/relationships/mother`).send(link(own)).expect(204)
    const friend = await add('dogs', { friends: linkAll([grandchild, own]) })
    for (const id of [own, child]) await api.delete(`/animals/${id}`).expect(204)
    await api.get(`/animals/${friend}`).expect(200)
    await checkGone(mother, child, grandchild, own)
  }) // anchor: W/H-04

  it.each(['owner', 'yard'])('cascades a delete over tables, and empties references: by %s', async (name) => {
    const owner = await add('owners')
    const yard = await add('yards', { owner: link(owner) })
    await api.dataSource.manager.insert(Bookmark, { id: name.length, owner: { id: owner } })
    const dog = await add('dogs', { [name]: link(name === 'owner' ? owner : yard) })
    const cat = await add('cats', { guard: link(dog), keeper: link(dog), friends: linkAll([dog]) })
    const other = await add('cats', { guard: link(dog) })
    await api.delete(`/owners/${owner}`).expect(204)
    const { guard, keeper, friends } = (await api.get(`/cats/${cat}?include=guard,keeper,friends`)).body.data
      .relationships
    expect([guard.data, keeper.data, friends.data]).toEqual([null, null, []])
    expect((await api.get(`/cats/${other}`)).body.data.attributes.version).toBe(2)
    await checkGone(owner, yard, dog)
  })

  it.each(['employer', 'founded'])('removes softly deleted rows with the row that %s refers to', async (name) => {
    const owner = await add('owners')
    const gone = await add('clerks', { [name]: link(owner), yards: linkAll([await add('yards')]) })
    const kept = await add('clerks')
    await api.delete(`/clerks/${gone}`).expect(204)
    const marked = { id: gone, version: 2, deletedAt: expect.anything() }
    expect(await storedRows()).toContainEqual(expect.objectContaining(marked))
    await api.delete(`/owners/${owner}`).expect(204)
    await checkGone(gone)
    await api.get(`/clerks/${kept}`).expect(200)
  })

  it('returns 409 for a delete of a row that another one requires', async () => {
    const owner = await add('kittens')
    await add('collars', { owner: link(owner) })
    expectError(await api.unchanged(() => api.delete(`/animals/${owner}`)), 409, undefined, 'constraint.reference')
  })

  it.each(['place', 'maker'] as const)('returns 409 for a second owner of a required one-to-one: %s', async (name) => {
    const addEnds = async () => ({ place: link(await add('yards')), maker: link(await add('owners')) })
    const ends = await addEnds()
    const nest = await add('nests', ends)
    const other = await add('burrows', await addEnds())
    const taken = { ...(await addEnds()), [name]: ends[name] }
    const change = (id: string) => api.patch(`/nests/${id}/relationships/${name}`).send(ends[name])
    const pointer = `/data/relationships/${name}`
    expectError(await api.unchanged(() => post('burrows', taken)), 409, pointer, 'constraint.unique')
    expectError(await api.unchanged(() => change(other)), 409, '/data', 'constraint.unique')
    await change(nest).expect(204)
  })

  it.each(['geese', 'ducks'])('increments the version of %s when a key of their base changes', async (type) => {
    const [bird, other] = [await add('birds'), await add('geese')]
    const member = await add(type, { leader: link(bird) })
    await api
      .patch(`/birds/${other}/relationships/flock`)
      .send(linkAll([member]))
      .expect(204)
    expect((await dataAt(api, `/birds/${member}`)).attributes).toEqual({ version: 2 })
    await api.delete(`/birds/${other}`).expect(204)
    expect((await dataAt(api, `/birds/${member}`)).attributes).toEqual({ version: 3 })
  })

  it('gives rows a new state with each change, whichever other classes have a version', async () => {
    const [bird, goose] = [await add('birds'), await add('geese')]
    // Such as a row that was stored before its class had a version.
    if (tables === 'single') await api.dataSource.manager.update(Goose, { id: goose }, { version: () => 'null' })
    for (const id of [bird, goose]) {
      const { etag = '' } = (await api.get(`/birds/${id}?fields[geese]=leader`)).headers
      const lead = () =>
        api
          .patch(`/birds/${id}`)
          .set('If-Match', etag)
          .send({ data: { ...identify(id), relationships: { leader: link(id) } } })
      expect([(await lead()).status < 300, (await lead()).status]).toEqual([true, 412])
    }
  })

  it('increments the version of a derived class when removal from a to-many relationship soft-deletes it', async () => {
    const yard = await add('yards')
    const place = { place: link(yard) }
    const [box] = [await add('boxes', place), await add('pens', place)]
    await api.patch(`/yards/${yard}/relationships/stalls`).send(linkAll([])).expect(204)
    const stored = (await storedRows()).filter(({ id }) => id === box)
    expect(Math.max(...stored.map(({ boxVersion }) => Number(boxVersion ?? 0)))).toBe(2)
    expect((await api.get(`/boxes/${box}`)).status).toBe(404)
  })

  it('links members of derived classes without columns of their own', async () => {
    const leader = await add('fish')
    const school = [await add('trout'), await add('fish'), await add('trout')]
    const path = `/fish/${leader}/relationships/school`
    await api.post(path).send(linkAll(school)).expect(204)
    expect((await api.get(path)).body.data.length).toBe(3)
    const others = school.slice(1)
    await api.patch(path).send(linkAll(others)).expect(204)
    expect((await api.get(path)).body.data.length).toBe(2)
    await api.delete(`/fish/${leader}`).expect(204)
    for (const id of school) expect((await api.get(`/fish/${id}/relationships/leader`)).body.data).toBeNull()
  })

  describe('concurrent writes', () => {
    const statusesOf = (responses: readonly Response[]) => responses.map(({ status }) => status).sort()
    const rounds = Array.from({ length: 8 }, (_, round) => round)

    it('create one resource with the same id', async () => {
      for (const round of rounds) {
        const create = (type: string) => post(type, {}, `same-${round}`)
        const responses = await Promise.all(['dogs', 'cats', 'kittens', 'dogs'].map(create))
        expect(statusesOf(responses)).toEqual([201, 409, 409, 409])
      }
    })

    it('do not link a deleted row', async () => {
      for (const _ of rounds) {
        const right = await add('kittens')
        const [one, other] = [await add('dogs'), await add('cats')]
        const responses = await Promise.all([
          post('dogs', { keeper: link(right) }),
          api.patch(`/animals/${one}/relationships/keeper`).send(link(right)),
          api.post(`/animals/${other}/relationships/friends`).send(linkAll([right])),
          post('collars', { owner: link(right) }),
          api.delete(`/animals/${right}`),
        ])
        for (const { status } of responses) expect([201, 204, 404, 409]).toContain(status)
        await checkKeys('keeperId', 'leftId', 'rightId', 'ownerId')
      }
    })

    /** The animals that have a kennel, asked for in both ways. */
    const inhabitantsOf = async (kennel: string) => [
      resourceKeys(await api.get(`/animals?filter=equals(kennel.id,'${kennel}')&sort=id`).expect(200)),
      includedKeys(await api.get(`/kennels?include=animal&filter=equals(id,'${kennel}')`).expect(200)),
    ]
    const moveInto = (kennel: string, id: string) =>
      api.patch(`/animals/${id}/relationships/kennel`).send(link(kennel)).start()

    it('link at most one row in a one-to-one relationship, from both of its ends', async () => {
      for (const round of Array(atLeast(40)).keys()) {
        const [kennel, dog, kitten, cat] = [
          await add('kennels'),
          await add('dogs'),
          await add('kittens'),
          await add('cats'),
        ]
        const responses = await Promise.all([
          ...[dog, kitten, cat].map((id) => moveInto(kennel, id)),
          ...(round % 2 === 0 ? [] : [post('cats', { kennel: link(kennel) })]),
          ...(round % 4 === 0 ? [api.patch(`/kennels/${kennel}/relationships/animal`).send(link(dog))] : []),
        ])
        for (const { status } of responses) expect([201, 204]).toContain(status)
        const [[inhabitant, ...others] = [], included] = await inhabitantsOf(kennel)
        expect([others, included]).toEqual([[], [inhabitant]])
      }
    })

    /** Starts the later write when the earlier one has written, and ends the earlier one when the later one waits for it. */
    async function overlap(write: () => Promise<Response>, later: () => Promise<Response>): Promise<readonly number[]> {
      const { begun, pause } = createPause(api.dataSource)
      hold = pause
      const earlier = write()
      await begun
      return (await Promise.all([earlier, later()])).map(({ status }) => status)
    }

    it('take a row of a one-to-one relationship away from an earlier write, and wait for its end', async () => {
      const [kennel, dog, kitten] = [await add('kennels'), await add('dogs'), await add('kittens')]
      const move = (id: string) => () => moveInto(kennel, id)
      expect(await overlap(move(dog), move(kitten))).toEqual([204, 204])
      expect(await inhabitantsOf(kennel)).toEqual([[`kittens ${kitten}`], [`kittens ${kitten}`]])
    })

    it.each(['swans', 'birds'])(
      'overwrite no value of a derived class that the client has not seen, at %s',
      async (type) => {
        const path = `/${type}/${await add('swans')}`
        const { etag = '' } = (await api.get(path)).headers
        const update = (span: number) => () => {
          const id = path.slice(type.length + 2)
          return api
            .patch(path)
            .set('If-Match', etag)
            .send(resource('swans', id, { span }))
            .start()
        }
        expect(await overlap(update(1), update(2))).toEqual([204, 412])
      },
    )
  })
})

const RANDOM = { sqlite: '(hex(randomblob(8)))', postgres: 'gen_random_uuid()', mariadb: '(uuid())' }[DATABASE]

@HierarchyRoot('plants', { clientGeneratedIds: 'allowed' })
class Plant {
  @PrimaryColumn({ type: 'varchar', length: 40, default: () => RANDOM }) id!: string
}

/** Its required relationship can refer to itself. The database generates its id. */
@DerivedResource('trees')
class Tree extends Plant {
  @ToOne() @ManyToOne('Plant', { nullable: false }) parent!: Plant
}

// TypeORM refuses such a model in one table.
describe.each<Layout>(['joined', 'tablePerConcreteClass'])('%s', (tables) => {
  const api = setUp(() => startApi([Plant, Tree], { tables }))

  it('links a new row to itself, or says why it can not', async () => {
    const own = { type: 'trees', lid: 'own' }
    const response = await api.post('/trees').send({ data: { ...own, relationships: { parent: { data: own } } } })
    if (tables === 'tablePerConcreteClass') {
      expect(singleError(response)).toMatchObject({ status: 422, code: 'constraint.not-null' })
      expect(response.body.errors[0].detail).toMatch("'parent' can't refer to the new resource itself")
    } else expect((await api.get(`/trees/${response.body.data.id}/parent`)).body.data.id).toBe(response.body.data.id)
  })
})
