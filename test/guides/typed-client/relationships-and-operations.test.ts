import { type Client, etagOf, JsonApiRequestError } from 'stemma/client'
import { type HumansApi, startHumans } from '../../support/humans'
import { type Family, familyAt } from './support/family'

let api: HumansApi
let client: Client<Family>
beforeEach(async () => {
  api = await startHumans()
  client = familyAt(api.url)
})
afterEach(() => api.close())

async function addFamily() {
  const max = await client.create('men', { attributes: { name: 'Max' } })
  const mia = await client.create('women', { attributes: { name: 'Mia', maidenName: 'May' } })
  return { max, mia }
}

const childrenOf = async (id: string) => (await client.getLinkage({ type: 'humans', id }, 'children')).data

describe('operations', () => {
  it('can refer to resources created by earlier operations', async () => {
    const made = await client.operate((operations) => {
      const groom = operations.create('men', { attributes: { name: 'Kilian' } })
      const bride = operations.create('women', {
        attributes: { name: 'Lotte', maidenName: 'Hill' },
        relationships: { husband: groom, children: [] },
      })
      operations.setLinkage(groom, 'wife', bride)
      operations.addLinkage(bride, 'children', [groom])
      operations.update(groom, { attributes: { name: 'Kilian Hill' } })
      return { groom, bride }
    })
    const { data } = await client.list('humans', { include: { wife: true, husband: true, children: true } })
    const [groom, bride] = data
    expect(groom).toMatchObject({ type: 'men', name: 'Kilian Hill' })
    expect(groom?.type === 'men' && groom.wife).toBe(bride)
    expect(bride?.children).toEqual([groom])
    expect([made.groom.name, made.bride.maidenName]).toEqual(['Kilian', 'Hill'])
  })

  it('return created resources with their ETag', async () => {
    const { max } = await client.operate((operations) => ({
      max: operations.create('men', { attributes: { name: 'Max' } }),
    }))
    expect(max).toEqual({ type: 'men', id: '1', name: 'Max', hasBeard: false })
    const changed = await client.update(max, { attributes: { name: 'Maximilian' } })
    expect(changed.name).toBe('Maximilian')
    await expect(client.delete(max)).rejects.toMatchObject({ status: 412 })
  })

  it('send the version of the resource that was read', async () => {
    const id = await api.addMan({ name: 'Max' })
    const [one, other] = [await client.get('men', id), await client.get('men', id)]
    expect(etagOf(one)).toBeDefined()
    await client.operate((operations) => operations.update(one, { attributes: { name: 'Moritz' } }))
    const late = client.operate((operations) => operations.delete(other))
    await expect(late).rejects.toMatchObject({ status: 412, errors: [{ code: 'operation.version' }] })
  })

  it('are all applied, or none', async () => {
    const failing = client.operate((operations) => {
      operations.create('men', { attributes: { name: 'Max' } })
      operations.create('women', { attributes: { name: 'Mia' } })
    })
    const error: unknown = await failing.catch((reason: unknown) => reason)
    expect(error instanceof JsonApiRequestError && error.at('/atomic:operations/1')).toMatchObject([
      { title: 'A woman must have a maiden name.' },
    ])
    expect((await client.list('humans')).total).toBe(0)
  })

  it('can delete resources, and remove members of relationships', async () => {
    const [max, mia] = [await api.addMan({ name: 'Max' }), await api.addWoman({ name: 'Mia', maidenName: 'May' })]
    await api.link(mia, 'children', [max])
    await client.operate((operations) => {
      operations.removeLinkage({ type: 'women', id: mia }, 'children', [{ type: 'humans', id: max }])
      operations.delete({ type: 'men', id: max })
    })
    const { data } = await client.list('humans', { include: { children: true } })
    expect(data).toMatchObject([{ id: mia, children: [] }])
  })
})

describe('relationships', () => {
  it('can be set and cleared', async () => {
    const { max, mia } = await addFamily()
    await client.setLinkage(max, 'wife', mia)
    expect(await client.getRelated(max, 'wife')).toMatchObject({ name: 'Mia' })
    await client.setLinkage(max, 'wife', null)
    expect(await client.getRelated(max, 'wife')).toBeNull()
  })

  it('can add and remove members', async () => {
    const { max, mia } = await addFamily()
    await client.setLinkage(max, 'children', [mia])
    await client.addLinkage(max, 'children', [max])
    expect(await childrenOf(max.id)).toEqual([
      { type: 'men', id: max.id },
      { type: 'women', id: mia.id },
    ])
    await client.removeLinkage(max, 'children', [{ type: 'humans', id: mia.id }])
    expect(await childrenOf(max.id)).toEqual([{ type: 'men', id: max.id }])
  })
})

describe('a relationship that was read in part', () => {
  async function addParent() {
    const id = await api.addMan({ name: 'Max' })
    const children = await Promise.all(['A', 'B', 'C'].map((name) => api.addMan({ name })))
    await api.link(id, 'children', children)
    const read = (size: number) => client.get('men', id, { include: { children: { page: { size } } } })
    return { id, part: await read(2), whole: await read(3) }
  }

  it('says whether there are more members', async () => {
    const { id, part, whole } = await addParent()
    expect([part.children.hasMore, whole.children.hasMore]).toEqual([true, false])
    const linkage = (page: object) => client.getLinkage({ type: 'men', id }, 'children', { page })
    const pages = [{ size: 2 }, { size: 2, number: 2 }, { size: 3 }]
    const lists = await Promise.all(pages.map(linkage))
    expect(lists.map(({ data }) => data.hasMore)).toEqual([true, true, false])
  })

  it('is refused as the new content of a relationship, and nothing is sent', async () => {
    const { id, part } = await addParent()
    const children = part.children as never
    const plain = { type: 'men', id } as const
    const attempts: readonly (() => Promise<unknown>)[] = [
      () => client.setLinkage(plain, 'children', children),
      () => client.update(plain, { relationships: { children } }),
      () => client.create('men', { attributes: { name: 'Z' }, relationships: { children } }),
      () => client.operate((operations) => operations.setLinkage(plain, 'children', children)),
      () => client.operate((operations) => operations.update(plain, { relationships: { children } })),
      // Copies of what was read, sent for the resource that it was read with.
      () => client.setLinkage(part, 'children', [...part.children, { type: 'men', id }]),
      () => client.update(part, { relationships: { children: part.children.slice(1) } }),
    ]
    const statements = await api.statementsOf(async () => {
      for (const attempt of attempts) {
        await expect(Promise.resolve().then(attempt)).rejects.toThrow(
          "The list for 'children' is one page of it, and would replace all members: those on other pages would be lost. " +
            "It is in the values of 'children' that were to be sent. Use 'addLinkage' and 'removeLinkage', or read all pages " +
            "with 'listRelated' first.",
        )
      }
    })
    expect(statements).toEqual([])
    expect((await client.getLinkage(plain, 'children')).total).toBe(3)
  })

  it('can be added, removed, and replaced by other members', async () => {
    const { id, part, whole } = await addParent()
    await client.removeLinkage(part, 'children', part.children)
    await client.addLinkage(part, 'children', part.children)
    expect((await client.getLinkage(part, 'children')).total).toBe(3)
    if (!whole.children.hasMore) await client.setLinkage(whole, 'children', whole.children)
    expect((await client.getLinkage(part, 'children')).total).toBe(3)
    await client.setLinkage(part, 'children', [{ type: 'men', id }])
    await client.setLinkage(part, 'children', [])
    expect((await client.getLinkage(part, 'children')).total).toBe(0)
  })
})

describe('an error response', () => {
  it('gives the errors of a field and of a pointer', async () => {
    const attributes = { name: 'Bo', hasBeard: true }
    const error: JsonApiRequestError = await client.create('men', { attributes }).catch((reason) => reason)
    expect(error).toBeInstanceOf(JsonApiRequestError)
    const message = `POST ${api.url}/men was answered with 422. 'hasBeard' would be true after this request. Send it as false.`
    expect(error).toMatchObject({ status: 422, method: 'POST', url: `${api.url}/men`, message })
    expect(error.of('hasBeard')).toEqual(error.errors)
    expect(error.at('/data')).toEqual(error.errors)
    expect([...error.of('name'), ...error.at('/data/attributes/hasBear')]).toEqual([])
  })

  it('gives the errors of a relationship', async () => {
    const relationships = { mother: { type: 'women', id: '9' } } as const
    const error: unknown = await client
      .create('men', { attributes: { name: 'Bo' }, relationships })
      .catch((reason) => reason)
    expect(error instanceof JsonApiRequestError && error.of('mother')).toHaveLength(1)
  })
})
