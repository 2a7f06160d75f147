import { JsonApiError, type ResourceRecord, type ResourceWrite, ToOne } from 'stemma'
import { ManyToOne } from 'typeorm'
import { setUp, startApi } from '../../support/api'
import { createResource, toMany, toOne, updateResource } from '../../support/documents'
import { expectError, resourceKeys } from '../../support/expectations'
import { StoredResource } from '../../support/resource-decorators'
import * as papers from './papers'

// A generic base definition, and rules that extend it and read the related resources of the write.

@StoredResource('seals')
class Seal extends papers.Paper {
  @ToOne({ name: 'sealed-on' }) @ManyToOne('Letter', { nullable: false }) letter: papers.Letter
}

class SealDefinition extends papers.TenantDefinition<Seal> {
  readonly resource = Seal
  protected readonly label = 'tenant'

  override beforeWrite({ relationships: { letter } }: ResourceWrite<Seal, papers.Tenant>): void {
    if (letter?.instance.title === 'Open') throw new JsonApiError({ title: 'Close it.', field: 'sealed-on' })
  }
}

class InvoiceDefinition extends papers.TenantDefinition<papers.Invoice> {
  readonly resource = papers.Invoice
  protected readonly label = 'title'

  override setToOne(_write: ResourceWrite<papers.Invoice>, relationship: string, related: ResourceRecord | null): void {
    if (relationship !== 'letter' || !(related?.instance instanceof papers.Letter)) return
    if (related.instance.title === 'Open') throw new JsonApiError({ title: 'Close it.', field: 'letter' })
  }
}

class CoveredDefinition extends papers.FolderDefinition {
  override beforeWrite(write: ResourceWrite<papers.Folder, papers.Tenant>) {
    super.beforeWrite(write)
    const { cover, documents = [], parent } = write.relationships
    if (parent === null) throw new JsonApiError({ title: 'A folder stays in its folder.', field: 'parent' })
    const titles = documents.map(({ instance }) => instance.title)
    return cover ? { name: [cover.instance.title, ...titles].join(', ') } : {}
  }
}

const classes = [CoveredDefinition, papers.DocumentDefinition, InvoiceDefinition, SealDefinition]
const api = setUp(() =>
  startApi([...papers.PAPERS, Seal], {
    definitions: classes.map((Definition) => new Definition()),
    context: (request) => ({ tenant: request.get('x-tenant') ?? 'nl' }),
  }),
)
const italian = { 'x-tenant': 'it' }

beforeAll(async () => {
  for (const title of ['Open', 'Shut']) await createResource(api, 'letters', { title }).expect(201)
  await createResource(api, 'letters', { title: 'Aperta' }).set(italian).expect(201)
})

it('sets the tenant of new resources, and shows each tenant its own', async () => {
  expect(resourceKeys(await api.get('/documents'))).toEqual(['letters 1', 'letters 2'])
  expect(resourceKeys(await api.get('/documents').set(italian))).toEqual(['letters 3'])
  await updateResource(api, 'letters', '1', { title: 'Mine' }).set(italian).expect(404)
  await updateResource(api, 'letters', '3', { title: 'Aperta!' }).set(italian).expect(204)
  expect(resourceKeys(await api.get('/letters'))).toEqual(['letters 1', 'letters 2'])
})

it('applies rules of the base and of the definition that extends it', async () => {
  const related = { cover: toOne('letters', '1'), documents: toMany('letters', '1', '2') }
  const { body } = await createResource(api, 'folders', { name: 'New' }, related).expect(201)
  expect(body.data.attributes.name).toBe('Open, Open, Shut')
  const { id } = body.data
  expectError(await updateResource(api, 'folders', id, { name: '' }), 422, '/data/attributes/name')
  const removal = { parent: { data: null } }
  expectError(await updateResource(api, 'folders', id, {}, removal), 422, '/data/relationships/parent')
  await updateResource(api, 'folders', id, { name: 'Old' }).expect(204)
})

it('gives rules the related resources by property, whatever their public names', async () => {
  const seal = (id: string) => createResource(api, 'seals', {}, { 'sealed-on': toOne('letters', id) })
  expectError(await seal('1'), 422, '/data/relationships/sealed-on')
  await seal('2').expect(201)
})

it('refuses a link to a related resource from both ends', async () => {
  const invoice = (letter: string) =>
    createResource(api, 'invoices', { title: 'Ink' }, { letter: toOne('letters', letter) })
  expectError(await invoice('1'), 422, '/data/relationships/letter')
  const { body } = await invoice('2').expect(201)
  const linkage = toMany('invoices', body.data.id)
  expectError(await api.post('/letters/1/relationships/invoices').send(linkage), 422, '/data')
  expect(resourceKeys(await api.get('/letters/1/invoices'))).toEqual([])
  expect(resourceKeys(await api.get('/letters/2/invoices'))).toEqual([`invoices ${body.data.id}`])
})
