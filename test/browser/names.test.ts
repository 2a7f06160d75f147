import { Attribute, Resource, ToOne } from 'stemma'
import { Column, Entity, ManyToOne, PrimaryColumn } from 'typeorm'
import { setUp, startApi } from '../support/api'
import { useBrowser } from './support/browser'
import { openBuilder } from './support/explore-humans'

// Uses names and ids with every kind of character that JSON:API and URLs allow.

@Resource('größen-2')
@Entity('odd_sizes')
class Size {
  @PrimaryColumn({ type: 'varchar', length: 40 }) id: string
  @Attribute({ name: 'naïve_name-1' }) @Column({ type: 'varchar', length: 40, nullable: true }) name: string | null
  @Attribute({ name: '日本' }) @Column({ type: 'int', default: 0 }) place: number
  @ToOne({ name: 'über-größe' }) @ManyToOne(() => Size, { nullable: true }) above: Size | null
}

const tab = useBrowser()
const api = setUp(() => startApi([Size], { explorer: true, clientGeneratedIds: 'allowed' }))

it('shows, filters and writes types and fields with unusual names', async () => {
  const id = 'a/b ?#%&"<ü>'
  await api.add(Size, { id, name: 'middle', place: 2 })
  const page = await tab.open(`${api.url}/`)
  await page.getByRole('navigation', { name: 'Resource types' }).getByRole('link', { name: 'größen-2' }).click()
  const filter = await openBuilder(page, 'Filter')
  await filter.getByLabel('Field 1').selectOption('日本')
  await filter.getByLabel('Value 1').fill('2')
  await filter.getByRole('button', { name: 'Apply' }).click()
  const include = await openBuilder(page, 'Include')
  await include.getByRole('checkbox', { name: 'über-größe' }).check()
  await include.getByRole('button', { name: 'Apply' }).click()
  const name = `größen-2 ${id}`
  await page.getByRole('rowheader', { name }).getByRole('link').click()
  const panel = page.getByRole('article', { name })
  await panel.getByRole('button', { name: 'Set über-größe' }).click()
  await page.getByRole('option', { name }).click()
  await panel
    .getByRole('region', { name: 'über-größe' })
    .getByRole('link', { name: `middle ${name}` })
    .waitFor()
  await panel.getByRole('button', { name: 'Edit' }).click()
  await panel.getByLabel('naïve_name-1', { exact: true }).fill('<b>bold</b>')
  await panel.getByRole('button', { name: `Save ${name}` }).click()
  await panel.getByText('<b>bold</b>').first().waitFor()
})

it('creates a resource with an id of the client', async () => {
  const page = await tab.open(`${api.url}/${encodeURIComponent('größen-2')}#new`)
  await page.getByLabel('id required').fill('x y')
  await page.getByRole('button', { name: 'Create größen-2' }).click()
  await page.getByRole('article', { name: 'größen-2 x y' }).waitFor()
})
