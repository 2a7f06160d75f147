import { Attribute, equals, JsonApiError, Resource, type ResourceWrite, ToMany, ToOne } from 'stemma'
import { Column, Entity, ManyToOne, OneToMany, PrimaryGeneratedColumn } from 'typeorm'
import { define, setUp, startApi } from '../../support/api'
import { resourceKeys } from '../../support/expectations'
import { hidesEverywhere } from './support/twins'

// One database for several tenants. The first segment of the path names the tenant: /nl/shops.

@Resource('shops')
@Entity('shops')
class Shop {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 40 }) name: string
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

interface Context {
  readonly tenant: string
}

const shopRules = define<Shop, Context>(Shop, {
  filter: ({ tenant }: Context) => equals('tenant', tenant),
  beforeWrite: ({ context }: ResourceWrite<Shop, Context>) => ({ tenant: context.tenant }),
})

const productRules = define<Product, Context>(Product, {
  filter: ({ tenant }: Context) => equals('shop.tenant', tenant),
})

describe('an API whose path names the tenant', () => {
  const api = setUp(() =>
    startApi([Shop, Product], {
      mountPath: '/:tenant',
      definitions: [shopRules, productRules],
      context: ({ baseUrl }): Context => {
        const tenant = baseUrl.slice(1)
        if (!['nl', 'it'].includes(tenant)) throw new JsonApiError({ status: 404, title: 'There is no such country.' })
        return { tenant }
      },
    }),
  )
  beforeAll(async () => {
    for (const tenant of ['nl', 'it']) {
      const shop = { id: await api.add(Shop, { name: `Shop ${tenant}`, tenant }) }
      await api.add(Product, { name: `Cheese ${tenant}`, shop })
    }
  })

  it.each([
    ['/it/products', ['products 2']],
    ["/it/shops?filter=has(products,equals(name,'Cheese nl'))", []],
    ['/nl/shops/1/products', ['products 1']],
    ['/nl/products/1/shop', ['shops 1']],
  ])('shows only resources of the tenant: %s', async (path, expected) => {
    expect(resourceKeys(await api.get(path))).toEqual(expected)
  })

  it('writes links with the path of the tenant', async () => {
    const { body } = await api.get('/it/products?include=shop&page[size]=1')
    expect(body.links.first).toBe('/it/products?include=shop&page%5Bsize%5D=1')
    expect(body.data[0].relationships.shop.links.related).toBe('/it/products/2/shop')
    expect(body.included[0].links.self).toBe('/it/shops/2')
  })

  it('refuses the tenant in a document like an unknown attribute', async () => {
    const create = (name: string) => {
      const data = { type: 'shops', attributes: { name: 'New', [name]: 'nl' } }
      return api.unchanged(() => api.post('/it/shops').send({ data }))
    }
    const [named, unknown] = [await create('tenant'), await create('tenure')]
    expect([named.status, named.text]).toEqual([422, unknown.text.replaceAll('tenure', 'tenant')])
  })

  it('assigns a new resource to the tenant', async () => {
    const data = { type: 'shops', attributes: { name: 'New' } }
    const { body } = await api.post('/it/shops').send({ data }).expect(201)
    expect(body.links.self).toBe(`/it/shops/${body.data.id}`)
    await api.get(`/nl/shops/${body.data.id}`).expect(404)
  }) // anchor: W/V-02

  it('returns the error of the context for an unknown tenant', async () => {
    const { body } = await api.get('/fr/shops').expect(404)
    expect(body.errors).toMatchObject([{ title: 'There is no such country.' }])
  })
})

// anchor: W/M-02, W/M-04
describe('a row of another tenant', () => {
  const hooks = { filter: () => equals('tenant', 'nl'), beforeWrite: () => ({ tenant: 'nl' }) }
  hidesEverywhere({ hooks, mark: { tenant: 'it' } })
})
