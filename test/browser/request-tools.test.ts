import { exploreHumans } from './support/explore-humans'

const explorer = exploreHumans({ serverTiming: true, explain: 'development' })

it('prints a request for curl, fetch and the typed client', async () => {
  const filter = "and(contains(name,'O''H'),isType(,women,not(equals(maidenName,null))),any(name,'a','b'))"
  const query = `?filter=${filter}&sort=-name,id&include=children.mother&sort[children]=name&page[size]=2,children:1&fields[men]=name`
  const { page, humans } = await explorer().visitFamily(`/humans${query}`)
  await page.getByText('Copy the request as code').click()
  const code = page.locator('.copy pre')
  expect(await code.textContent()).toContain(`curl -g '${humans.url}/api/humans?filter=and(contains(name,%27O%27%27H`)
  await page.getByRole('radio', { name: 'fetch' }).check()
  expect(await code.textContent()).toContain("headers: { accept: 'application/vnd.api+json' }")
  await page.getByRole('radio', { name: 'Typed client' }).check()
  expect(
    await code.textContent(),
  ).toBe(`import { and, any, ascending, contains, createClient, descending, equals, isType, not } from 'stemma/client'

// Api: the resource types of the server, from InferApi.
const client = createClient<Api>({ baseUrl: '${humans.url}/api' })
const { data, total } = await client.list('humans', {
  filter: and(contains('name', 'O\\'H'), isType('women', not(equals('maidenName', null))), any('name', ['a', 'b'])),
  sort: [descending('name'), ascending('id')],
  page: { size: 2 },
  fields: { men: ['name'] },
  include: {
    children: { sort: [ascending('name')], page: { size: 1 }, include: { mother: true } },
  },
})`)
})

it('shows the time of each phase, and explains a read', async () => {
  const { page } = await explorer().visitFamily('/men?filter=equals(name,%27Arthur%27)')
  const timing = page.getByRole('region', { name: 'Time on the server' })
  await timing.getByText(/^database/).waitFor()
  expect(await timing.locator('.timing-bar rect').count()).toBeGreaterThan(3)
  await page.getByRole('button', { name: 'Explain this read' }).click()
  const plan = page.getByRole('region', { name: 'Plan', exact: true })
  await plan.getByText(/Cost: \d+/).waitFor()
  expect(await plan.locator('pre').first().textContent()).toMatch(/^select .* where /)
})

it('keeps requests and named queries, without secrets in URLs', async () => {
  const { page } = await explorer().visitFamily('/men?sort=name')
  await page.getByRole('rowheader', { name: 'men 1' }).waitFor()
  await page.goto(`${page.url()}&access_token=hidden`)
  await page
    .getByText(/^[24]00/)
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'History' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Save the shown query under a name').fill('By name')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await dialog.getByRole('button', { name: /^By name/ }).waitFor()
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('hidden')
  await dialog.getByRole('button', { name: /^By name/ }).click()
  await page.getByRole('rowheader', { name: 'men 1' }).waitFor()
  expect(new URL(page.url()).search).toBe('?sort=name')
  await page.getByRole('button', { name: 'History' }).click()
  await dialog.getByRole('button', { name: 'Delete By name' }).click()
  await dialog.getByRole('button', { name: 'Clear the history' }).click()
  const lists = () => Object.entries(localStorage).filter(([name]) => /history|saved/.test(name))
  expect((await page.evaluate(lists)).map(([, list]) => list)).toEqual(['[]', '[]'])
})
