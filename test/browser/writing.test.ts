import type { Page } from 'playwright-core'
import { addFamily, exploreHumans } from './support/explore-humans'

const explorer = exploreHumans()

/** Returns the error message that describes a text box for screen readers. */
async function errorMessageOf(page: Page, label: string): Promise<string | null> {
  const control = page.getByRole('textbox', { name: label, exact: true })
  const ids = ((await control.getAttribute('aria-describedby')) ?? '').split(' ')
  return page.locator(`#${ids.at(-1)}`).textContent()
}

it('the form for a new resource has the fields of the chosen type', async () => {
  const page = await explorer().visit('/humans')
  await page.getByText('Create', { exact: true }).click()
  await page.getByLabel('type', { exact: true }).selectOption('men')
  await page.getByRole('combobox', { name: 'hasBeard', exact: true }).waitFor()
  expect(await page.getByRole('textbox', { name: 'maidenName', exact: true }).count()).toBe(0)
  await page.getByLabel('type', { exact: true }).selectOption('women')
  await page.getByRole('textbox', { name: 'maidenName', exact: true }).waitFor()
  expect(await page.getByRole('combobox', { name: 'hasBeard', exact: true }).count()).toBe(0)
  await page.getByRole('group', { name: 'husband' }).waitFor()
})

it('shows an error at its attribute, and creates the resource once it is corrected', async () => {
  const { humans, visit } = explorer()
  await humans.addMan({ name: 'Adam' })
  const page = await visit('/humans')
  await page.getByText('Create', { exact: true }).click()
  await page.getByLabel('type', { exact: true }).selectOption('women')
  await page.getByLabel('name (required)').fill('Eve')
  await page.getByLabel('maidenName: what is sent').selectOption('null')
  await page.getByRole('button', { name: 'Create women' }).click()
  await page.getByText(/^422/).waitFor()
  const maidenName = page.getByRole('textbox', { name: 'maidenName', exact: true })
  expect(await maidenName.getAttribute('aria-invalid')).toBe('true')
  expect(await errorMessageOf(page, 'maidenName')).toContain('A woman must have a maiden name.')
  expect(await maidenName.evaluate((element) => element === document.activeElement)).toBe(true)

  await maidenName.fill('Rib')
  await page.getByLabel('husband: id').fill('1')
  await page.getByRole('button', { name: 'Create women' }).click()
  await page.getByRole('article', { name: 'women 2' }).waitFor()
  expect((await humans.get('/api/women/2?include=husband')).body).toMatchObject({
    data: {
      attributes: { name: 'Eve', maidenName: 'Rib' },
      relationships: { husband: { data: { type: 'men', id: '1' } } },
    },
  })
})

it('shows an error at its relationship', async () => {
  const { page } = await explorer().visitFamily('/men')
  await page.getByText('Create', { exact: true }).click()
  await page.getByLabel('name (required)').fill('Abel')
  await page.getByLabel('bestFriend: type').selectOption('women')
  await page.getByLabel('bestFriend: id').fill('2')
  await page.getByRole('button', { name: 'Create men' }).click()
  await page.getByRole('group', { name: 'bestFriend' }).getByText("A man's best friend must be a man.").waitFor()
})

it('shows an error without a field next to the form', async () => {
  const page = await explorer().visit('/men')
  await page.getByText('Create', { exact: true }).click()
  await page.route('**/api/men', (route) => route.fulfill({ status: 503, body: '' }))
  await page.getByLabel('name (required)').fill('Abel')
  await page.getByRole('button', { name: 'Create men' }).click()
  await page.getByRole('alert').getByText('503').waitFor()
  await page.unroute('**/api/men')
}, 60_000)

it('sends only changed attributes, with If-Match', async () => {
  const { humans, page } = await explorer().visitFamily('/women/2')
  await page.getByText('Change', { exact: true }).click()
  const name = page.getByRole('textbox', { name: 'name', exact: true })
  expect(await name.inputValue()).toBe('Greta')
  await name.fill('Grete')
  const sent = page.waitForRequest((request) => request.method() === 'PATCH')
  await page.getByRole('button', { name: 'Change women 2' }).click()
  const request = await sent
  expect(request.postDataJSON()).toEqual({ data: { type: 'women', id: '2', attributes: { name: 'Grete' } } })
  expect((await request.allHeaders())['if-match']).toMatch(/^"/)
  await page.getByRole('article').getByText('Grete').waitFor()
  expect((await humans.get('/api/women/2')).body.data.attributes).toEqual({ name: 'Grete', maidenName: 'Hill' })
})

it('deletes a resource after confirmation', async () => {
  const { humans, page } = await explorer().visitFamily('/men/3')
  await page.getByRole('button', { name: 'Delete …' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete men 3' })
  await dialog.getByRole('button', { name: 'Keep it' }).click()
  expect((await humans.get('/api/men/3')).status).toBe(200)
  await page.getByRole('button', { name: 'Delete …' }).click()
  await dialog.getByRole('button', { name: 'Delete it' }).click()
  await page.getByRole('heading', { level: 1, name: 'men' }).waitFor()
  expect((await humans.get('/api/men/3')).status).toBe(404)
})

it('adds, removes and replaces the members of a to-many relationship', async () => {
  const { humans, visit } = explorer()
  await addFamily(humans)
  const children = async () =>
    (await humans.get('/api/men/1/relationships/children')).body.data.map(({ id }: { id: string }) => id)
  const page = await visit('/men/1/relationships/children')
  await page.getByRole('button', { name: 'Remove women 4' }).click()
  await page.getByRole('button', { name: 'Remove women 4' }).waitFor({ state: 'detached' })
  expect(await children()).toEqual(['3'])
  await page.getByLabel('children: type').selectOption('women')
  await page.getByLabel('children: id').fill('2')
  await page.getByRole('button', { name: 'children: add' }).click()
  await page.getByLabel('children: id').fill('4')
  await page.getByRole('button', { name: 'Add to it' }).click()
  await page.getByRole('button', { name: 'Remove women 2' }).waitFor()
  expect((await children()).toSorted()).toEqual(['2', '3', '4'])
  await page.getByLabel('children: type').selectOption('men')
  await page.getByLabel('children: id').fill('3')
  await page.getByRole('button', { name: 'Replace all' }).click()
  await page.getByRole('button', { name: 'Remove women 2' }).waitFor({ state: 'detached' })
  expect(await children()).toEqual(['3'])
})

it('sets a to-one relationship, and shows why it cannot be cleared', async () => {
  const { page } = await explorer().visitFamily('/women/4/relationships/husband')
  await page.getByText('The relationship is empty.').waitFor()
  await page.getByLabel('husband: id').fill('3')
  await page.getByRole('button', { name: 'Set it' }).click()
  await page.getByRole('main').getByRole('link', { name: 'men 3' }).waitFor()
  await page.getByRole('button', { name: 'Clear it' }).click()
  await page.getByRole('alert').getByText('A husband cannot be taken away.').waitFor()
})
