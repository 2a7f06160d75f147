import {
  Attribute,
  equals,
  JsonApiError,
  Resource,
  ResourceDefinition,
  type ResourceWrite,
  ToMany,
  ToOne,
} from 'stemma'
import { Column, Entity, ManyToOne, OneToMany, PrimaryGeneratedColumn } from 'typeorm'
import { startApi, type TestApi } from '../../support/api'
import { includedKeys, linkageKeys, resourceKeys } from '../../support/expectations'
import { type Paper, PaperRules } from './support/papers'
import { hidesEverywhere } from './support/twins'

// One database for several tenants, who are named by the first segment of the path: /nl/shops.

@Resource('shops')
@Entity('shops')
class Shop {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 40 }) name: string
  /** No client ever sees it. */
  @Attribute({ capabilities: [] }) @Column({ type: 'varchar', length: 2, default: '' }) tenant: string
  @ToMany() @OneToMany('Product', 'shop') products: Product[]
}

@Resource('products')
@Entity('products')
class Product {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 40 }) name: string
  @ToOne() @ManyToOne('Shop', 'products') shop: Shop
}

interface Asking {
  readonly tenant: string
}

class ShopRules extends ResourceDefinition<Shop, Asking> {
  readonly resource = Shop

  override filter({ tenant }: Asking) {
    return equals('tenant', tenant)
  }

  override beforeWrite({ context }: ResourceWrite<Shop, Asking>) {
    return { tenant: context.tenant }
  }
}

class ProductRules extends ResourceDefinition<Product, Asking> {
  readonly resource = Product

  override filter({ tenant }: Asking) {
    return equals('shop.tenant', tenant)
  }
}

let api: TestApi

beforeAll(async () => {
  api = await startApi([Shop, Product], {
    mountPath: '/:tenant',
    definitions: [new ShopRules(), new ProductRules()],
    context: ({ baseUrl }): Asking => {
      const tenant = baseUrl.slice(1)
      if (!['nl', 'it'].includes(tenant)) throw new JsonApiError({ status: 404, title: 'There is no such country.' })
      return { tenant }
    },
  })
  for (const tenant of ['nl', 'it']) {
    const shop = { id: await api.add(Shop, { name: `Shop ${tenant}`, tenant }) }
    await api.add(Product, { name: `Cheese ${tenant}`, shop })
  }
})
afterAll(() => api.close())

it.each([
  ['a collection', '/it/shops', ['shops 2']],
  ['one that has its tenant from elsewhere', '/it/products', ['products 2']],
  ['a filter', "/it/shops?filter=equals(name,'Shop nl')", []],
  ['a filter over others', "/it/shops?filter=has(products,equals(name,'Cheese nl'))", []],
  ['related resources', '/nl/shops/1/products', ['products 1']],
  ['a related resource', '/nl/products/1/shop', ['shops 1']],
])('%s shows what is of the tenant', async (_what, path, expected) => {
  expect(resourceKeys(await api.get(path))).toEqual(expected)
})

it('includes show what is of the tenant', async () => {
  const answer = await api.get('/nl/shops?include=products')
  expect(includedKeys(answer)).toEqual(['products 1'])
  expect(linkageKeys(answer.body.data, 'products')).toEqual([['products 1']])
})

it('links stay with the tenant', async () => {
  const { body } = await api.get('/it/products?include=shop&page[size]=1')
  expect(body.links.first).toBe('/it/products?include=shop&page%5Bsize%5D=1')
  expect(body.data[0].relationships.shop.links.related).toBe('/it/products/2/shop')
  expect(body.included[0].links.self).toBe('/it/shops/2')
})

it('no document and no query has the tenant', async () => {
  expect((await api.get('/it/shops/2')).body.data.attributes).toEqual({ name: 'Shop it' })
  await api.get("/it/shops?filter=equals(tenant,'nl')").expect(400)
})

it.each([
  '/it/shops/1',
  '/it/shops/1/products',
  '/it/shops/1/relationships/products',
  '/it/products/1',
  '/it/products/1/shop',
])('what is of another tenant is not there: %s', async (path) => {
  await api.get(path).expect(404)
})

it('what is of another tenant is neither changed nor deleted nor linked to', async () => {
  const shop = { type: 'shops', id: '1' }
  const answers = await Promise.all([
    api.patch('/it/shops/1').send({ data: { ...shop, attributes: { name: 'Mine' } } }),
    api.delete('/it/products/1'),
    api.patch('/it/products/2/relationships/shop').send({ data: shop }),
    api.post('/it/products').send({
      data: { type: 'products', attributes: { name: 'x' }, relationships: { shop: { data: shop } } },
    }),
  ])
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404])
})

it('no client names the tenant', async () => {
  const answersTo = (name: string) => {
    const data = { type: 'shops', attributes: { name: 'New', [name]: 'nl' } }
    return api.unchanged(() => api.post('/it/shops').send({ data }))
  }
  const [named, unknown] = [await answersTo('tenant'), await answersTo('tenure')]
  expect([named.status, named.text]).toEqual([422, unknown.text.replaceAll('tenure', 'tenant')])
})

it('what is created is of the tenant', async () => {
  const data = { type: 'shops', attributes: { name: 'New' } }
  const { status, body } = await api.post('/it/shops').send({ data })
  expect([status, body.links.self]).toEqual([201, `/it/shops/${body.data.id}`])
  await api.get(`/nl/shops/${body.data.id}`).expect(404)
})

it('a tenant that there is not has nothing', async () => {
  expect((await api.get('/fr/shops')).body.errors).toMatchObject([
    { status: '404', title: 'There is no such country.' },
  ])
})

describe('what is of another tenant is hidden', () => {
  class OwnPapers extends PaperRules<Asking> {
    override filter({ tenant }: Asking) {
      return equals('tenant', tenant)
    }

    override beforeWrite({ context }: ResourceWrite<Paper, Asking>) {
      return { tenant: context.tenant }
    }
  }

  hidesEverywhere({
    rules: OwnPapers,
    context: { tenant: 'nl' },
    mark: { tenant: 'it' },
  })
})
