import { Attribute, Resource, ToOne } from 'stemma'
import { Column, Entity, ManyToOne, PrimaryColumn } from 'typeorm'
import { setUp, startApi } from '../support/api'
import { DATETIME } from '../support/database'
import { Car, Truck, VEHICLES } from '../support/vehicles'
import { useBrowser } from './support/browser'
import { idsIn, openBuilder } from './support/explore-humans'

// Uses names and ids with every kind of character that JSON:API and URLs allow.

@Resource('größen-2')
@Entity('odd_sizes')
class Size {
  @PrimaryColumn({ type: 'varchar', length: 40 }) id: string
  @Attribute({ name: 'naïve_name-1' }) @Column({ type: 'varchar', length: 40, nullable: true }) name: string | null
  @Attribute({ name: '日本' }) @Column({ type: 'int', default: 0 }) place: number
  @Attribute({ capabilities: ['change'] }) @Column({ type: 'simple-enum', enum: ['a', 'b'], default: 'a' }) code: string
  @Attribute() @Column({ type: 'simple-enum', enum: [1, 2], default: 1 }) grade: number
  @Attribute() @Column({ type: 'bigint', nullable: true }) sum: string | null
  @Attribute() @Column({ ...DATETIME, nullable: true }) madeAt: Date | null
  @Attribute() @Column({ type: 'date', nullable: true }) soldOn: string | null
  @Attribute() @Column({ type: 'simple-json', nullable: true }) notes: unknown
  @ToOne({ name: 'über-größe' }) @ManyToOne(() => Size, { nullable: true }) above: Size | null
}

const tab = useBrowser()
const api = setUp(() => startApi([Size, ...VEHICLES], { explorer: true, clientGeneratedIds: 'allowed' }))

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
  const above = panel.getByRole('region', { name: 'über-größe' })
  await above.getByRole('link', { name: `middle ${name}` }).waitFor()
  await panel.getByRole('button', { name: 'Edit' }).click()
  await panel.getByLabel('naïve_name-1', { exact: true }).fill('<b>bold</b>')
  await panel.getByRole('button', { name: `Save ${name}` }).click()
  await panel.getByText('<b>bold</b>').first().waitFor()
})

it('creates a resource with an id of the client, checks dates and JSON, and changes numbers', async () => {
  const page = await tab.open(`${api.url}/${encodeURIComponent('größen-2')}#new`)
  const input = (name: string) => page.getByLabel(name, { exact: true })
  const create = async (values: Readonly<Record<string, string>>) => {
    for (const [name, value] of Object.entries(values)) await input(name).fill(value)
    await page.getByRole('button', { name: 'Create größen-2' }).click()
  }
  const created = page.waitForRequest((request) => request.method() === 'POST')
  await create({ 'id required': 'x y', notes: '{"a":', soldOn: '' })
  await page.getByText('This is no JSON').waitFor()
  await page.getByText('Enter a date.').waitFor()
  await create({ notes: '{"a":[null]}', soldOn: '2026-03-04', madeAt: '2026-03-04T05:06' })
  const madeAt = new Date('2026-03-04T05:06').toISOString()
  const attributes = { notes: { a: [null] }, soldOn: '2026-03-04', madeAt }
  expect((await created).postDataJSON().data.attributes).toEqual(attributes)
  const panel = page.getByRole('article', { name: 'größen-2 x y' })
  await panel.getByText('{"a":[null]}').waitFor()
  await panel.getByRole('button', { name: 'Edit' }).click()
  expect(await input('madeAt').inputValue()).toMatch(/^2026-03-04T05:06/)
  // The form sends nothing for a value that it does not show, and enumerated numbers and large integers as they are.
  expect(await input('code').locator('option').allTextContents()).toEqual(['not sent', 'a', 'b'])
  await input('grade').selectOption('2')
  await input('sum').fill('9007199254740993')
  const changed = page.waitForRequest((request) => request.method() === 'PATCH')
  await panel.getByRole('button', { name: 'Save größen-2 x y' }).click()
  expect((await changed).postDataJSON().data.attributes).toEqual({ grade: 2, sum: '9007199254740993' })
})

it('filters and sorts by a field that several derived types have', async () => {
  for (const mileage of [5, 7]) for (const type of [Car, Truck]) await api.add(type, { mileage })
  const page = await tab.open(`${api.url}/vehicles`)
  const filter = await openBuilder(page, 'Filter')
  await filter.getByLabel('Field 1').selectOption('mileage')
  await filter.getByLabel('Value 1').fill('5')
  await filter.getByRole('button', { name: 'Apply' }).click()
  await page.getByRole('button', { name: 'Remove mileage is 5' }).waitFor()
  await page.getByText('1–2 of 2').waitFor()
  expect(await idsIn(page)).toEqual(['1', '2'])
  const sort = await openBuilder(page, 'Sort')
  await sort.getByLabel('Sort by').selectOption('trucks:mileage')
  const sorted = page.waitForResponse(/sort=trucks:mileage/)
  await sort.getByRole('button', { name: 'Apply' }).click()
  expect((await sorted).status()).toBe(200)
  expect(await page.getByRole('columnheader', { name: 'mileage' }).getByRole('link').count()).toBe(0)
})
