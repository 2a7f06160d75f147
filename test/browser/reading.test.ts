import { cellsOfResponse, exploreHumans } from './support/explore-humans'

const explorer = exploreHumans()

/** Returns the ids of the resources in the table of the response. */
async function idsIn(page: Awaited<ReturnType<ReturnType<typeof explorer>['visit']>>): Promise<readonly string[]> {
  await page.getByText('200 OK', { exact: true }).waitFor()
  return (await cellsOfResponse(page)).map(([_type, id = '']) => id)
}

it('draws the hierarchy of types with derivations and relationships', async () => {
  const page = await explorer().visit('/')
  const picture = page.getByRole('region', { name: 'Picture of the resource types' })
  await picture.getByRole('link', { name: 'humans' }).waitFor()
  await picture.getByRole('link', { name: 'women' }).waitFor()
  expect(await picture.locator('.derivation').count()).toBe(2)
  expect(
    await picture.locator('.relation').evaluateAll((all) => all.map((each) => each.getAttribute('data-field'))),
  ).toEqual(['father', 'mother', 'children', 'bestFriend', 'wife', 'husband'])
  const boxes = await picture
    .locator('.box .outline')
    .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().toJSON()))
  const [humans, men, women] = boxes
  expect(men.top).toBeGreaterThan(humans.bottom)
  expect(women.left).toBeGreaterThan(men.right)
})

it('lists the type, nullability and capabilities of each field', async () => {
  const page = await explorer().visit('/')
  const row = page.getByRole('region', { name: 'Fields of women' }).getByRole('row', { name: /^maidenName/ })
  expect(await row.getByRole('cell').allTextContents()).toEqual([
    'string, at most 80',
    'yes',
    'view, filter, sort, create, change',
  ])
  const father = page.getByRole('region', { name: 'Fields of men' }).getByRole('row', { name: /^father inherited/ })
  expect(await father.getByRole('cell').allTextContents()).toEqual([
    'one of men',
    'yes',
    'view, include, filter, create, set',
  ])
})

it('links the types of the picture to their collections', async () => {
  const { page } = await explorer().visitFamily('/')
  const picture = page.getByRole('region', { name: /Picture/ })
  await picture.getByRole('link', { name: /^humans/ }).click()
  await page.getByRole('heading', { level: 1, name: 'humans' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/api/humans')
  expect(await idsIn(page)).toEqual(['1', '2', '3', '4'])
  await page.goBack()
  await picture.waitFor()
})

it('builds a filter from conditions, and shows the URL and a curl command', async () => {
  const { humans, page } = await explorer().visitFamily('/humans')
  const request = page.getByRole('form', { name: 'Request' })
  await request.getByLabel('Field of the condition').selectOption('name')
  await request.getByLabel('Comparison').selectOption('contains')
  await request.getByLabel('Value').fill('r')
  await request.getByRole('button', { name: 'Add condition' }).click()
  await request.getByLabel('Field of the condition').selectOption('women: maidenName')
  await request.getByLabel('Comparison').selectOption('is not null')
  await request.getByRole('button', { name: 'Add condition' }).click()
  await request.getByRole('group', { name: 'Sort by' }).getByRole('button', { name: 'name', exact: true }).click()
  const filter = "and(contains(name,'r'),isType(,women,not(equals(maidenName,null))))"
  expect(await request.getByLabel('filter', { exact: true }).inputValue()).toBe(filter)
  const [url, curl] = await request.locator('.copyable code').allTextContents()
  expect(decodeURI(url ?? '')).toBe(`/api/humans?filter=${filter}&sort=name`)
  expect(curl).toContain(`curl -g '${humans.url}/api/humans?filter=and(contains(name,%27r%27)`)
  await request.getByRole('button', { name: 'Send' }).click()
  expect(await idsIn(page)).toEqual(['2', '4'])
  await page.reload()
  expect(await page.getByLabel('filter', { exact: true }).inputValue()).toBe(filter)
})

it('doubles quotes in values, and joins conditions with or', async () => {
  const { humans, visit } = explorer()
  await humans.addMan({ name: "O'Hara" })
  const page = await visit("/men?filter=equals(name,'x),')")
  await page.getByLabel('Joined with').selectOption('or')
  await page.getByLabel('Field of the condition').selectOption('name')
  await page.getByLabel('Value').fill("O'Hara")
  await page.getByLabel('Value').press('Enter')
  expect(await page.getByLabel('filter', { exact: true }).inputValue()).toBe(
    "or(equals(name,'x),'),equals(name,'O''Hara'))",
  )
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText("O'Hara").first().waitFor()
  expect(await idsIn(page)).toEqual(['1'])
})

it('shows an error at the parameter that caused it', async () => {
  const page = await explorer().visit('/humans')
  await page.getByLabel('sort', { exact: true }).fill('nmae')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('400 Bad Request', { exact: true }).waitFor()
  const sort = page.getByLabel('sort', { exact: true })
  expect(await sort.getAttribute('aria-invalid')).toBe('true')
  const described = (await sort.getAttribute('aria-describedby')) ?? ''
  expect(await page.locator(`#${described.split(' ').at(-1)}`).textContent()).toContain("Did you mean 'name'?")
  expect(await page.getByLabel('filter', { exact: true }).getAttribute('aria-invalid')).toBeNull()
})

it('shows the error for a URL with an unknown type', async () => {
  const page = await explorer().visit('/womn')
  await page.getByText("Did you mean 'women'?").waitFor()
})

it('links to the next page', async () => {
  const { page } = await explorer().visitFamily('/humans?page[size]=2&sort=-name')
  expect(await idsIn(page)).toEqual(['4', '2'])
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Next' }).click()
  await page.getByRole('rowheader', { name: 'men 3' }).waitFor()
  expect(await idsIn(page)).toEqual(['3', '1'])
  expect(await page.getByLabel('number').inputValue()).toBe('2')
  expect(await page.getByRole('link', { name: 'Next' }).count()).toBe(0)
  await page.goBack()
  await page.getByRole('rowheader', { name: 'women 4' }).waitFor()
})

it('sorts by the heading of a column, ascending and descending', async () => {
  const { page } = await explorer().visitFamily('/humans')
  await page.getByRole('columnheader', { name: 'name', exact: true }).getByRole('link').click()
  await page.waitForURL(/sort=name/)
  await page.locator('th[aria-sort=ascending]').getByRole('link').click()
  await page.waitForURL(/sort=-name/)
  await page.locator('th[aria-sort=descending]').waitFor()
  expect(await idsIn(page)).toEqual(['4', '2', '3', '1'])
})

it('follows links in tables and in the document', async () => {
  const { page } = await explorer().visitFamily('/men/1')
  await page.getByRole('link', { name: 'wife: related' }).click()
  await page.getByRole('article', { name: 'women 2' }).waitFor()
  await page.getByRole('tab', { name: 'Document' }).click()
  await page.getByRole('region', { name: 'Document' }).getByRole('link', { name: '"/api/women/2/husband"' }).click()
  await page.getByRole('article', { name: 'men 1' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/api/women/2/husband')
})

it('shows included resources with the chosen fields', async () => {
  const { page } = await explorer().visitFamily('/men')
  await page.getByRole('group', { name: 'Include' }).getByRole('button', { name: 'wife' }).click()
  await page.getByText('Choose fields').click()
  await page.getByRole('group', { name: 'women', exact: true }).getByLabel('name', { exact: true }).uncheck()
  await page.getByRole('button', { name: 'Send' }).click()
  const included = page.getByRole('region', { name: 'Included women' })
  await included.waitFor()
  const heads = await included.getByRole('columnheader').allTextContents()
  expect(heads).toContain('maidenName')
  expect(heads).not.toContain('name')
  await page.getByRole('region', { name: 'men', exact: true }).getByRole('link', { name: 'women 2' }).waitFor()
})

it('shows stored HTML as text', async () => {
  const { humans, visit } = explorer()
  const evil = '<img src=x onerror="document.title=\'hit\'">'
  await humans.addMan({ name: evil })
  const page = await visit('/men')
  await page.getByText(evil).waitFor()
  await page.getByRole('tab', { name: 'Document' }).click()
  await page.getByRole('link', { name: 'OpenAPI' }).waitFor()
  await page.goto(`${humans.url}/api/men/1`)
  await page.getByText(evil).waitFor()
  await page.getByText('Change').click()
  await page.getByRole('textbox', { name: 'name', exact: true }).waitFor()
  expect(await page.locator('img').count()).toBe(0)
  expect(await page.title()).toBe('men / 1 – JSON:API')
})

it('sends the headers that a user adds, and shows them in the curl command', async () => {
  const page = await explorer().visit('/men')
  await page.getByText('Headers').click()
  await page.getByLabel(/Sent with every request/).fill('X-Who: karen')
  const sent = page.waitForRequest(
    (request) => request.url().endsWith('/api/men') && request.headers()['x-who'] === 'karen',
  )
  await page.getByRole('button', { name: 'Use' }).click()
  await sent
  expect(await page.locator('.copyable code').last().textContent()).toContain("-H 'x-who: …'")
})
