import { Query, Store } from 'json-api-models'
import normalize from 'json-api-normalizer'
import { Jsona } from 'jsona'
import { JsonApiDataStore, JsonApiDataStoreModel } from 'jsonapi-datastore'
import { Deserializer, Serializer } from 'jsonapi-serializer'
import yayson from 'yayson'
import { getType } from 'yayson/utils'
import { setUp } from '../support/api'
import { checkedFetch } from '../support/lint'
import { startFamily } from './support/examples'

// Clients that convert between documents and objects, without sending requests.

const HUMANS = '/humans?page[size]=3&page[number]=2&sort=-name&include=husband,children'
const family = setUp(startFamily)

describe('jsona', () => {
  const jsona = new Jsona()

  it('reads a hierarchy', async () => {
    const women = jsona.deserialize(await read(HUMANS))
    expect(women).toMatchObject([
      { type: 'women', id: '6', maidenName: 'Archer', husband: { type: 'men', name: 'Conrad' } },
      {
        type: 'women',
        name: 'Hannah',
        children: [
          { type: 'women', name: 'Irene' },
          { type: 'men', name: 'Edwin' },
        ],
      },
      { type: 'women', name: 'Greta' },
    ])
  })

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

  it('reads a hierarchy', async () => {
    const women = [...(new Store().sync((await read(HUMANS)) as never) as unknown as readonly Read[])]
    expect(
      women.map(({ maidenName, husband, children }) => [maidenName, husband?.name, children.map(({ name }) => name)]),
    ).toEqual([
      ['Archer', 'Conrad', ['David', 'Judith']],
      ['Fisher', 'Bernard', ['Irene', 'Edwin']],
      ['Hill', 'Arthur', ['Conrad', 'Karen']],
    ])
    expect(women.map((woman) => getType(woman as never))).toEqual(['women', 'women', 'women'])
  })

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
  it('reads a hierarchy', async () => {
    const deserializer = new Deserializer({ keyForAttribute: 'camelCase', typeAsAttribute: true })
    expect(await deserializer.deserialize(await read(HUMANS))).toMatchObject([
      { type: 'women', id: '6', maidenName: 'Archer', husband: { type: 'men', name: 'Conrad' } },
      { type: 'women', name: 'Hannah' },
      {
        type: 'women',
        children: [
          { type: 'men', name: 'Conrad' },
          { type: 'women', name: 'Karen' },
        ],
      },
    ])
  })

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

it('json-api-normalizer groups a hierarchy by type', async () => {
  const { men, women, meta } = normalize(await read(HUMANS), { endpoint: HUMANS })
  expect(Object.keys(women ?? {})).toEqual(expect.arrayContaining(['2', '4', '6', '8', '10']))
  expect(women?.['4']).toMatchObject({
    attributes: { maidenName: 'Fisher' },
    relationships: { husband: { data: { type: 'men', id: '3' } } },
  })
  expect(men?.['7']).toMatchObject({ attributes: { name: 'Edwin', hasBeard: true } })
  expect(Object.values(meta ?? {})).toMatchObject([
    { meta: { total: expect.any(Number) }, links: { next: expect.any(String) } },
  ])
})

describe('json-api-models', () => {
  it('reads a hierarchy, and creates queries', async () => {
    const store = new Store()
    const query = new Query({ include: 'husband', 'page[size]': 3, 'page[number]': 2, sort: '-name' })
    query.append('include', 'children').set('filter', "isType(,women,startsWith(maidenName,'Car'))")
    store.sync((await read('/humans?include=husband,children&page[size]=100')) as never)
    expect(store.find('women', '4')).toMatchObject({ type: 'women', name: 'Hannah', husband: { name: 'Bernard' } })
    const found = store.sync((await read(`/humans?${query}`)) as never) as readonly object[]
    expect(found).toHaveLength(0)
    query.delete('page[number]')
    expect(store.sync((await read(`/humans?${query}`)) as never)).toMatchObject([{ name: 'Karen' }, { name: 'Judith' }])
  })

  it('serializes types and ids', async () => {
    const store = new Store()
    const greta = store.sync((await read('/women/2')) as never) as unknown as { identifier(): object; name: string }
    const data = { ...greta.identifier(), attributes: { name: 'Grete' } }
    await send('PATCH', '/women/2', { data })
    store.sync((await read('/women/2')) as never)
    expect(greta.name).toBe('Grete')
  })
})

describe('jsonapi-datastore', () => {
  /** The client prints a warning for each object with links. */
  const readPlain = async (path: string): Promise<object> => {
    const withoutLinks = (key: string, value: unknown) => (key === 'links' ? undefined : value)
    return JSON.parse(JSON.stringify(await read(path)), withoutLinks)
  }

  it('reads a hierarchy', async () => {
    const women = new JsonApiDataStore().sync(await readPlain(HUMANS))
    expect(women.map(({ _type, name, children }) => [_type, name, children.length])).toEqual([
      ['women', 'Irene', 2],
      ['women', 'Hannah', 2],
      ['women', 'Grete', 2],
    ])
  })

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

interface Read {
  readonly name: string
  readonly maidenName: string
  readonly husband?: Read
  readonly children: readonly Read[]
}

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

interface Created {
  readonly data: { readonly id: string }
}

const NOTHING: Created = { data: { id: '' } }
