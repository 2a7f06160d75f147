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
    const { max } = await client.operate((operations) => {
      return { max: operations.create('men', { attributes: { name: 'Max' } }) }
    })
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
    expect((await client.list('humans', { include: { children: true } })).data).toMatchObject([
      { id: mia, children: [] },
    ])
  })
})
