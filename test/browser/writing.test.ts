import type { Page, Route } from 'playwright-core'
import type { HumansApi } from '../support/humans'
import { addFamily, exploreHumans } from './support/explore-humans'

const explorer = exploreHumans({ ifMatch: 'required' })

/** Searches in a picker, and picks the first result with this text. */
async function pick(page: Page, picker: string, search: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: picker }).fill(search)
  await page.getByRole('option', { name: option }).click()
}

async function childrenOf(humans: HumansApi): Promise<readonly string[]> {
  const { body } = await humans.get('/api/men/1/relationships/children')
  return body.data.map(({ id }: { readonly id: string }) => id).toSorted()
}

/** Returns the error message that describes a control for screen readers. */
async function errorMessageOf(page: Page, label: string): Promise<string | null> {
  const ids = ((await page.getByLabel(label, { exact: true }).getAttribute('aria-describedby')) ?? '').split(' ')
  return page.locator(`[id="${ids.at(-1)}"]`).textContent()
}

it('the form for a new resource has the fields of the chosen type', async () => {
  const page = await explorer().visit('/humans')
  await page.getByRole('link', { name: 'Create' }).click()
  await page.getByLabel('type', { exact: true }).selectOption('men')
  await page.getByLabel('hasBeard', { exact: true }).waitFor()
  expect(await page.getByLabel('maidenName').count()).toBe(0)
  await page.getByLabel('name required').fill('Abel')
  await page.getByText('boolean. Without it: false.', { exact: true }).waitFor()
  await page.getByLabel('type', { exact: true }).selectOption('women')
  await page.getByLabel('maidenName', { exact: true }).waitFor()
  expect(await page.getByLabel('hasBeard').count()).toBe(0)
  expect(await page.getByLabel('name required').inputValue()).toBe('Abel')
  await page.keyboard.press('Escape')
  await page.getByRole('combobox', { name: 'husband' }).waitFor()
})

it('names required fields before it sends, and shows errors of the API at their fields', async () => {
  const { humans, visit } = explorer()
  await humans.addMan({ name: 'Adam' })
  const page = await visit('/women#new')
  await page.getByRole('button', { name: 'Create women' }).click()
  expect(await errorMessageOf(page, 'name required')).toBe('This field is required.')
  await page.getByLabel('name required').fill('Eve')
  await page.getByRole('button', { name: 'maidenName: null' }).click()
  await page.getByRole('button', { name: 'Create women' }).click()
  const maidenName = page.getByLabel('maidenName', { exact: true })
  await page.getByText('A woman must have a maiden name.').waitFor()
  expect(await maidenName.getAttribute('aria-invalid')).toBe('true')
  expect(await errorMessageOf(page, 'maidenName')).toContain('A woman must have a maiden name.')
  await page.locator(':focus[aria-invalid=true]').waitFor()

  await maidenName.fill('Rib')
  await pick(page, 'husband', 'Ada', 'Adam men 1')
  await page.getByRole('button', { name: 'Create women' }).click()
  await page.getByRole('article', { name: 'women 2' }).waitFor()
  expect((await humans.get('/api/women/2?include=husband')).body).toMatchObject({
    data: {
      attributes: { name: 'Eve', maidenName: 'Rib' },
      relationships: { husband: { data: { type: 'men', id: '1' } } },
    },
  })
})

it('shows an error at its relationship, and one without a field next to the form', async () => {
  const { page } = await explorer().visitFamily('/men#new')
  await page.getByLabel('name required').fill('Abel')
  await page.route('**/api/men', (route) => route.fulfill({ status: 503, body: '' }), { times: 1 })
  await page.getByRole('button', { name: 'Create men' }).click()
  await page.getByRole('form', { name: 'Create men' }).getByRole('alert').getByText('503').waitFor()
  await pick(page, 'bestFriend', 'Gret', 'Greta women 2')
  await page.getByRole('button', { name: 'Create men' }).click()
  await page.getByText("A man's best friend must be a man.").waitFor()
  await page.getByRole('button', { name: 'bestFriend: undo' }).click()
  await page.getByRole('button', { name: 'Create men' }).click()
  await page.getByRole('article', { name: 'men 5' }).waitFor()
})

it('sends only changed attributes, with an ETag that a proxy has made weak', async () => {
  const { humans, page } = await explorer().visitFamily('/women/2')
  await page.route(/women\/2\?/, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, headers: { ...response.headers(), etag: `W/${response.headers().etag}` } })
  })
  await page.reload()
  await page.getByRole('button', { name: 'Edit' }).click()
  const name = page.getByLabel('name', { exact: true })
  expect(await name.inputValue()).toBe('Greta')
  await name.fill('Grete')
  const form = page.getByRole('form', { name: 'Save women 2' })
  await form.getByText('Copy the request as code').click()
  await form.getByRole('radio', { name: 'Typed client' }).check()
  await form.getByText("await client.update({ type: 'women', id: '2' }, { attributes: { name: 'Grete' } }, ").waitFor()
  const sent = page.waitForRequest((request) => request.method() === 'PATCH')
  await page.getByRole('button', { name: 'Save women 2' }).click()
  const request = await sent
  expect(request.postDataJSON()).toEqual({ data: { type: 'women', id: '2', attributes: { name: 'Grete' } } })
  expect((await request.allHeaders())['if-match']).toMatch(/^"/)
  await page.getByRole('article').getByText('Grete').waitFor()
  expect((await humans.get('/api/women/2')).body.data.attributes).toEqual({ name: 'Grete', maidenName: 'Hill' })
})

it('shows both versions when another client has changed the resource, and stores the own one on request', async () => {
  const { humans, page } = await explorer().visitFamily('/women/2')
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('name', { exact: true }).fill('Grete')
  const data = { type: 'women', id: '2', attributes: { name: 'Gretchen', maidenName: 'Mount' } }
  await humans.patch('/api/women/2').set('if-match', '*').send({ data }).expect(204)
  await page.getByRole('button', { name: 'Save women 2' }).click()
  const conflict = page.getByRole('region', { name: 'Conflict' })
  const cells = conflict.getByRole('row', { name: /^name/ }).getByRole('cell')
  await cells.first().waitFor()
  expect(await cells.allTextContents()).toEqual(['Greta', 'Gretchen', 'Grete'])
  await conflict.getByRole('row', { name: /^maidenName/ }).waitFor()
  const stored = page.waitForResponse((response) => response.request().method() === 'PATCH' && response.ok())
  await conflict.getByRole('button', { name: 'Store my values' }).click()
  await stored
  await conflict.waitFor({ state: 'detached' })
  await page.getByRole('article').getByText('Grete', { exact: true }).waitFor()
  expect((await humans.get('/api/women/2')).body.data.attributes).toEqual({ name: 'Grete', maidenName: 'Mount' })
})

it('keeps a changed form while the query changes, and asks before another page replaces it', async () => {
  const { page } = await explorer().visitFamily('/men?page[size]=1')
  const name = page.getByLabel('name required')
  const dialog = page.getByRole('dialog', { name: 'Discard the changes?' })
  const goBack = () => page.evaluate(() => history.back())
  await page.getByRole('link', { name: 'Create' }).click()
  await name.fill('Abel')
  await page.getByRole('link', { name: 'Next' }).click()
  await page.getByText('2–2 of 2').waitFor()
  await goBack()
  await page.getByText('1–1 of 2').waitFor()
  for (const leave of [() => page.getByRole('button', { name: 'Close the panel' }).click(), goBack]) {
    await leave()
    await dialog.getByRole('button', { name: 'Keep editing' }).click()
    expect([await name.inputValue(), new URL(page.url()).hash]).toEqual(['Abel', '#new'])
  }
  await goBack()
  await dialog.getByRole('button', { name: 'Discard them' }).click()
  await name.waitFor({ state: 'detached' })
})

it('tells that a change is only accepted, with a link to the progress', async () => {
  const { page } = await explorer().visitFamily('/men/1')
  const body = JSON.stringify({ data: { type: 'men', id: '3' } })
  const accept = (route: Route) => route.fulfill({ status: 202, body })
  await page.route(/api\/men/, (route) => (route.request().method() === 'GET' ? route.fallback() : accept(route)))
  const accepted = page.getByText('The server has accepted the change and makes it later. men 3')
  const announced = page.getByRole('status').getByText('The server has accepted the change')
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('name', { exact: true }).fill('Art')
  await page.getByRole('button', { name: 'Save men 1' }).click()
  await accepted.waitFor()
  await announced.waitFor()
  await page.getByRole('button', { name: 'Delete …' }).click()
  await page.getByRole('button', { name: 'Delete it' }).click()
  await page.getByRole('button', { name: 'Remove women 4' }).click()
  await page.getByRole('region', { name: 'children' }).getByText('accepted the change').waitFor()
  await page.goto(new URL('/api/men#new', page.url()).href)
  await page.getByLabel('name required').fill('Abel')
  await page.getByRole('button', { name: 'Create men' }).click()
  await accepted.first().getByRole('link', { name: 'men 3' }).click()
  await page.getByRole('article', { name: 'men 3' }).waitFor()
})

it('deletes after confirmation; if it is refused, shows why, and loads the version of the other client', async () => {
  const { humans, page } = await explorer().visitFamily('/women/2')
  const answer = async (button: string) => {
    await page.getByRole('button', { name: 'Delete …' }).click()
    await page.getByRole('dialog', { name: 'Delete women 2' }).getByRole('button', { name: button }).click()
  }
  await page.getByRole('link', { name: 'Arthur men 1' }).waitFor()
  await answer('Keep it')
  // These fail if it is deleted.
  for (const [type, id, name] of [
    ['men', '1', 'Artus'],
    ['women', '2', 'Grete'],
  ]) {
    const data = { type, id, attributes: { name } }
    await humans.patch(`/api/${type}/${id}`).set('if-match', '*').send({ data }).expect(204)
  }
  await answer('Delete it')
  await page.getByRole('alert').getByText('Read it again.').waitFor()
  await page.getByRole('article').getByText('Grete').waitFor()
  // The page reads related resources together with the version for the next deletion.
  await page.getByRole('link', { name: 'Artus men 1' }).waitFor()
  await answer('Delete it')
  await page.getByRole('heading', { level: 1, name: 'women', exact: true }).waitFor()
  expect((await humans.get('/api/women/2')).status).toBe(404)
})

it('warns before members that are not shown are removed, and shows that a search failed', async () => {
  const { humans, page } = await explorer().visitFamily('/men/1/relationships/children?page[size]=1')
  for (let id = 5; id < 14; id += 1) await humans.link('1', 'children', await humans.addMan({ name: `Child ${id}` }))
  for (const path of ['', "?filter=equals(name,'Karen')", '/api/men/1', '/api/men?include=children#/men/1']) {
    if (path !== '') await page.goto(new URL(path, page.url()).href)
    await page.getByRole('button', { name: 'Replace all of children' }).click()
    await page.getByRole('alert').getByText('There are more members than these').waitFor()
  }
  await page.getByRole('link', { name: 'children: all', exact: true }).waitFor()
  await page.getByText('humans · more than 10').waitFor()
  await page.route(/\/api\/humans\?/, (route) => route.fulfill({ status: 429, body: '' }))
  await page.getByRole('combobox', { name: 'Choose children' }).fill('Kar')
  await page.getByRole('alert').getByText('The search failed: 429').waitFor()
})

it.each(['/men/1', '/men/1/relationships/children'])('tells at %s that another client has changed it', async (path) => {
  const { humans, page } = await explorer().visitFamily(path)
  const replace = page.getByRole('group', { name: 'All members of children' })
  const store = () => replace.getByRole('button', { name: 'Replace all', exact: true }).click()
  const remove = (member: string) => page.getByRole('button', { name: `Remove ${member}` }).first()
  const conflict = page
    .getByRole('alert')
    .getByText('children was changed by another client. Nothing of yours is stored.')
  await page.getByRole('button', { name: 'Replace all of children' }).click()
  await replace.getByRole('button', { name: 'Remove men 3' }).click()
  await humans.link('1', 'children', '2')
  await store()
  await conflict.waitFor()
  await remove('women 2').waitFor()
  await store()
  await remove('women 2').waitFor({ state: 'detached' })
  expect(await childrenOf(humans)).toEqual(['4'])
  await humans.link('1', 'children', '2')
  await remove('women 4').click()
  await conflict.waitFor()
  await remove('women 2').waitFor()
  // The second change starts before the members are loaded again.
  for (const member of ['women 4', 'women 2']) await remove(member).click()
  await remove('women 2').waitFor({ state: 'detached' })
  expect(await childrenOf(humans)).toEqual([])
})

it('adds, removes and replaces the members of a to-many relationship', async () => {
  const { humans, visit } = explorer()
  await addFamily(humans)
  const page = await visit('/men/1')
  await page.getByRole('button', { name: 'Remove women 4' }).click()
  await page.getByRole('button', { name: 'Remove women 4' }).waitFor({ state: 'detached' })
  expect(await childrenOf(humans)).toEqual(['3'])
  await page.getByRole('button', { name: 'Add to children' }).click()
  await pick(page, 'Add to children', 'Kar', 'Karen women 4')
  await page.getByRole('button', { name: 'Remove women 4' }).waitFor()
  expect(await childrenOf(humans)).toEqual(['3', '4'])

  await page.goto(`${humans.url}/api/men/1/relationships/children`)
  await page.getByRole('button', { name: 'Replace all of children' }).click()
  const replace = page.getByRole('group', { name: 'All members of children' })
  await replace.getByRole('button', { name: 'Remove men 3' }).click()
  await pick(page, 'Choose children', '2', 'Use id 2 women 2')
  await replace.getByRole('button', { name: 'Replace all', exact: true }).click()
  await replace.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Remove women 2' }).waitFor()
  expect(await childrenOf(humans)).toEqual(['2', '4'])
})

it('sets a to-one relationship, and shows why it cannot be cleared', async () => {
  const { page } = await explorer().visitFamily('/women/4')
  await page.getByRole('button', { name: 'Set husband' }).click()
  await page.getByRole('combobox', { name: 'Set husband' }).fill('Con')
  // It is shown when the search has ended: before, Enter picks nothing.
  await page.getByRole('option', { name: 'Use id Con men Con' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'husband' }).getByRole('link', { name: 'Conrad men 3' }).waitFor()
  await page.getByRole('button', { name: 'Clear husband' }).click()
  await page.getByRole('alert').getByText('A husband cannot be taken away.').waitFor()
})
