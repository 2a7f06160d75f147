import fc from 'fast-check'
import type { ResourceType, StoredType } from '../../src/graph/resource-graph'
import { BLOGS } from '../support/blogs'
import { ATOMIC } from '../support/operate'
import type { Sending } from '../support/server'
import { VEHICLES } from '../support/vehicles'
import { hostileHeaders, spoilt } from './support/hostile-bodies'
import { mutated } from './support/hostile-texts'
import { holdsFor, randomOf, SEED, TIME_LIMIT } from './support/random'
import { type Row, storedTypesOf } from './support/rows'
import { makeRows } from './support/stored-rows'
import { openWorld, type World } from './support/world'

// Whatever is sent to be written, what comes back is a document, soon; what is refused has changed nothing.

jest.setTimeout(TIME_LIMIT * 2)

const RUNS = 40

let world: World

beforeAll(async () => {
  world = await openWorld({
    resources: [...BLOGS, ...VEHICLES],
    makeRows: (dataSource, graph) => makeRows({ dataSource, graph, random: randomOf(SEED), each: () => 2 }),
  })
})
afterAll(() => world.close())

interface Sent extends Sending {
  readonly method: string
  readonly path: string
}

it('answers bodies that were right once', async () => {
  await holds(writes().chain((write) => spoilt(fc.constant(write.body)).map((rawBody) => ({ ...write, rawBody }))))
})

it('answers bodies that were JSON once', async () => {
  const bodies = writes().chain((write) =>
    mutated(fc.constant(JSON.stringify(write.body))).map((rawBody) => ({ ...write, rawBody })),
  )
  await holds(bodies)
})

it('answers operations that were right once', async () => {
  const lists = fc.array(writes(), { minLength: 1, maxLength: 3 }).map((list) => ({
    'atomic:operations': list.map(({ method, path, body }) => ({
      op: { POST: 'add', PATCH: 'update', DELETE: 'remove' }[method],
      href: path,
      ...body,
    })),
  }))
  await holds(
    spoilt(lists).map((rawBody) => ({
      method: 'POST',
      path: '/operations',
      rawBody,
      headers: { 'content-type': ATOMIC, accept: ATOMIC },
    })),
  )
})

it('answers headers that make no sense', async () => {
  await holds(
    fc
      .tuple(writes(), hostileHeaders, fc.constantFrom('GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS'))
      .map(([{ method, path, body }, headers, another]) => ({
        method: another === 'GET' || another === 'HEAD' ? another : method,
        path,
        ...(another !== 'GET' && another !== 'HEAD' && { body }),
        headers,
      })),
  )
})

it('answers writes to what is no place for them', async () => {
  await holds(
    fc
      .tuple(
        writes(),
        fc.constantFrom('POST', 'PATCH', 'PUT', 'OPTIONS', 'TRACE', 'PURGE'),
        mutated(fc.constantFrom('/articles/1', '/tags/a/relationships/articles')),
      )
      .map(([{ body }, method, path]) => ({ method, path: toPath(path), body })),
  )
})

/** As `fetch` leaves it. */
function toPath(text: string): string {
  return `/${text.replaceAll(/[?#\\]/g, '').replace(/^\/+/, '')}`
}

function holds(sent: fc.Arbitrary<Sent>): Promise<void> {
  const told = sent.map((each) => ({ ...each, url: JSON.stringify(each) }))
  return holdsFor(told, RUNS, async ({ method, path, url: _, ...sending }) => {
    const before = await world.contents()
    const { status } = await world.send(method, path, sending)
    expect(status).toBeLessThan(500)
    if (status >= 400) expect(await world.contents()).toEqual(before)
  })
}

interface Write {
  readonly method: 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body: { readonly data: unknown }
}

/** To all endpoints, of rows that are there or were; most are right. */
function writes(): fc.Arbitrary<Write> {
  const { graph, rows } = world
  const creates = fc.constantFrom(...storedTypesOf(graph)).chain((type) =>
    fc.constantFrom(...rows.filter((row) => row.type === type)).map((row): Write => {
      return { method: 'POST', path: `/${type.name}`, body: { data: { type: type.name, ...fieldsOf(type, row) } } }
    }),
  )
  const updates = fc.constantFrom(...rows).map((row): Write => {
    const { type, id } = row
    return { method: 'PATCH', path: pathOf(type, id), body: { data: { type: type.name, id, ...fieldsOf(type, row) } } }
  })
  const links = fc
    .constantFrom(...rows.filter(({ type }) => type.relationships.length > 0))
    .chain(({ type, id, related }) =>
      fc
        .tuple(fc.constantFrom(...type.relationships), fc.constantFrom('POST', 'PATCH', 'DELETE'))
        .map(([relationship, method]): Write => {
          const found = (related.get(relationship) ?? []).map((row) => ({ type: row.type.name, id: row.id }))
          const data = relationship.kind === 'toMany' ? found : (found[0] ?? null)
          return { method, path: `${pathOf(type, id)}/relationships/${relationship.name}`, body: { data } }
        }),
    )
  return fc.oneof(creates, updates, links)
}

function fieldsOf(type: StoredType, { values, related }: Row): object {
  const attributes = type.attributes.filter(({ upkeep }) => upkeep === 'client')
  const toOnes = type.relationships.filter(({ kind }) => kind === 'toOne')
  return {
    attributes: Object.fromEntries(attributes.map((each) => [each.name, values.get(each) ?? null])),
    relationships: Object.fromEntries(
      toOnes.flatMap((each) => {
        const [row] = related.get(each) ?? []
        return row === undefined ? [] : [[each.name, { data: { type: row.type.name, id: row.id } }]]
      }),
    ),
  }
}

function pathOf({ name }: ResourceType, id: string): string {
  return `/${name}/${encodeURIComponent(id)}`
}
