import { Jsona } from 'jsona'
import { JsonApiDataStore, JsonApiDataStoreModel } from 'jsonapi-datastore'
import { Serializer } from 'jsonapi-serializer'
import yayson from 'yayson'
import { setUp } from '../support/api'
import { checkedFetch } from '../support/lint'
import { startFamily } from './support/examples'

// Clients that convert between documents and objects, without sending requests: what they write. guide.test.ts reads with them.

const family = setUp(startFamily)

describe('jsona', () => {
  const jsona = new Jsona()

  it('serializes resources that it has read', async () => {
    const stuff = {
      type: 'women',
      name: 'Ada',
      maidenName: 'Byron',
      bestFriend: { type: 'men', id: '1' },
      relationshipNames: ['bestFriend'],
    }
    const created = jsona.deserialize(await send('POST', '/humans', jsona.serialize({ stuff })))
    expect(created).toMatchObject({ type: 'women', name: 'Ada', maidenName: 'Byron' })
    const { id } = created as { id: string }
    const stored = jsona.deserialize(await read(`/women/${id}?include=bestFriend`)) as object
    // The client would convert links to attributes.
    const renamed = { ...stored, name: 'Augusta', links: undefined }
    await send('PATCH', `/women/${id}`, jsona.serialize({ stuff: renamed as never }))
    expect(await read(`/women/${id}?include=bestFriend`)).toMatchObject({
      data: { attributes: { name: 'Augusta' } },
      included: [{ type: 'men', id: '1' }],
    })
    await send('DELETE', `/women/${id}`)
  })
})

describe('yayson', () => {
  const { Presenter, Store } = yayson()
  class Man extends Presenter {
    static override type = 'men'
  }
  class Woman extends Presenter {
    static override type = 'women'
    override relationships() {
      return { husband: { presenter: Man, optional: true } }
    }
  }

  it('serializes new resources', async () => {
    const ada = { name: 'Ada', maidenName: 'Byron', husband: { id: 1 } }
    const created = new Store().sync((await send('POST', '/humans', Woman.payload(ada))) as never)
    const { id } = created as unknown as { id: string }
    expect(await read(`/women/${id}/relationships/husband`)).toMatchObject({ data: { type: 'men', id: '1' } })
    await send('PATCH', `/humans/${id}`, Woman.payload({ ...ada, id, husband: { id: 5 } }))
    expect(await read(`/women/${id}/husband`)).toMatchObject({ data: { attributes: { name: 'Conrad' } } })
  })
})

describe('jsonapi-serializer', () => {
  it('serializes resources', async () => {
    const women = new Serializer('women', {
      keyForAttribute: 'camelCase',
      attributes: ['name', 'maidenName', 'husband'],
      husband: { ref: 'id', included: false },
      typeForAttribute: (name: string) => (name === 'husband' ? 'men' : name),
    })
    const ada = { name: 'Ada', maidenName: 'Byron', husband: { id: 1 } }
    const { data } = await send('POST', '/women', women.serialize(ada))
    await send(
      'PATCH',
      `/humans/${data.id}`,
      women.serialize({ ...ada, id: data.id, husband: { id: 5, name: 'Conrad' } }),
    )
    expect(await read(`/women/${data.id}/husband`)).toMatchObject({ data: { id: '5' } })
  })
})

describe('jsonapi-datastore', () => {
  /** The client prints a warning for each object with links. */
  const readPlain = async (path: string): Promise<object> => {
    const withoutLinks = (key: string, value: unknown) => (key === 'links' ? undefined : value)
    return JSON.parse(JSON.stringify(await read(path)), withoutLinks)
  }

  it('serializes new and loaded resources', async () => {
    const store = new JsonApiDataStore()
    const ada = new JsonApiDataStoreModel('women')
    ada.setAttribute('name', 'Ada')
    ada.setAttribute('maidenName', 'Byron')
    ada.setRelationship('bestFriend', store.sync(await readPlain('/men/1')))
    const { data } = await send('POST', '/humans', ada.serialize())
    const stored = store.sync(await readPlain(`/women/${data.id}?include=bestFriend`))
    expect(stored.bestFriend).toBe(store.find('men', '1'))
    stored.setAttribute('name', 'Augusta')
    await send('PATCH', `/women/${data.id}`, stored.serialize({ attributes: ['name'], relationships: ['bestFriend'] }))
    expect(store.sync(await readPlain(`/humans/${data.id}`))).toMatchObject({ _type: 'women', name: 'Augusta' })
    await send('DELETE', `/women/${data.id}`)
  })
})

async function read(path: string): Promise<object> {
  const { status, body } = await family.get(path)
  expect(status).toBe(200)
  return body
}

/** Sends a document as applications do: with the default headers of `fetch`. */
async function send(method: string, path: string, document?: object): Promise<Created> {
  const headers = { 'content-type': 'application/vnd.api+json' }
  const body = document === undefined ? null : JSON.stringify(document)
  const response = await checkedFetch(family.url + path, { method, headers, body })
  const text = await response.text()
  expect([method, response.ok, text.includes('"errors"')]).toEqual([method, true, false])
  return text === '' ? NOTHING : JSON.parse(text)
}

type Created = Readonly<{ data: { readonly id: string } }>

const NOTHING: Created = { data: { id: '' } }
