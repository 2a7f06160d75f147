import { type Client, JsonApiRequestError } from 'stemma/client'
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

describe('an error response', () => {
  it('gives the errors of a field and of a pointer', async () => {
    const values = {
      attributes: { name: 'Bo', hasBeard: true },
      relationships: { mother: { type: 'women', id: '9' } },
    } as const
    const bearded: unknown = await client.create('men', { attributes: values.attributes }).catch((reason) => reason)
    expect(bearded).toBeInstanceOf(JsonApiRequestError)
    expect(bearded).toMatchObject({ status: 422, method: 'POST', url: `${api.url}/men` })
    const error = bearded as JsonApiRequestError
    expect(error.message).toBe(
      `POST ${api.url}/men was answered with 422. 'hasBeard' would be true after this request. Send it as false.`,
    )
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
