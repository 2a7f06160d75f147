import { Attribute, Resource, ToOne } from 'stemma'
import { Column, Entity, ManyToOne, PrimaryColumn } from 'typeorm'
import { startApi, type TestApi } from '../support/api'
import { type Browser, startBrowser } from './support/browser'

// Uses names and ids with every kind of character that JSON:API and URLs allow.

@Resource('größen-2')
@Entity('odd_sizes')
class Size {
  @PrimaryColumn({ type: 'varchar', length: 40 }) id: string
  @Attribute({ name: 'naïve_name-1' }) @Column({ type: 'varchar', length: 40, nullable: true }) name: string | null
  @Attribute({ name: '日本' }) @Column({ type: 'int', default: 0 }) place: number
  @ToOne({ name: 'über-größe' }) @ManyToOne(() => Size, { nullable: true }) above: Size | null
}

let browser: Browser
let api: TestApi
beforeAll(async () => {
  browser = await startBrowser()
  api = await startApi([Size], { explorer: true, clientGeneratedIds: 'allowed' })
})
afterAll(async () => {
  await api.close()
  await browser.close()
})

it('shows, filters and writes types and fields with unusual names', async () => {
  const id = 'a/b ?#%&"<ü>'
  await api.add(Size, { id, name: 'middle', place: 2 })
  const page = await browser.open(`${api.url}/`)
  const picture = page.getByRole('region', { name: /Picture/ })
  await picture.getByRole('link', { name: /^größen-2/ }).click()
  await page.getByLabel('Field of the condition').selectOption('日本')
  await page.getByLabel('Value').fill('2')
  await page.getByRole('button', { name: 'Add condition' }).click()
  await page.getByRole('group', { name: 'Include' }).getByRole('button', { name: 'über-größe' }).click()
  await page.getByRole('button', { name: 'Send' }).click()
  const name = `größen-2 ${id}`
  await page.getByRole('rowheader', { name }).getByRole('link').click()
  await page.getByRole('article', { name }).getByText('middle').waitFor()
  await page.getByRole('link', { name: 'über-größe: linkage' }).click()
  await page.getByLabel('über-größe: id').fill(id)
  await page.getByRole('button', { name: 'Set it' }).click()
  await page.getByRole('main').getByRole('listitem').getByRole('link').click()
  await page.getByText('Change', { exact: true }).click()
  await page.getByRole('textbox', { name: 'naïve_name-1', exact: true }).fill('<b>bold</b>')
  await page.getByRole('button', { name: /^Change größen-2/ }).click()
  await page.getByRole('article').getByText('<b>bold</b>').waitFor()
  expect(browser.takeErrors()).toEqual([])
})

it('creates a resource with an id of the client', async () => {
  const page = await browser.open(`${api.url}/${encodeURIComponent('größen-2')}`)
  await page.getByText('Create', { exact: true }).click()
  await page.getByRole('textbox', { name: 'id (required)', exact: true }).fill('x y')
  await page.getByRole('button', { name: 'Create größen-2' }).click()
  await page.getByRole('article', { name: 'größen-2 x y' }).waitFor()
  expect(browser.takeErrors()).toEqual([])
})
