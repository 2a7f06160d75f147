import type { Route } from 'playwright-core'
import { exploreHumans, idsIn, openBuilder } from './support/explore-humans'

const explorer = exploreHumans()

it('lists the type, nullability and capabilities of each field', async () => {
  const page = await explorer().visit('/women#fields')
  const fields = page.getByRole('region', { name: 'Fields of women' })
  const cellsOf = async (name: RegExp) => {
    const row = fields.getByRole('row', { name })
    await row.waitFor()
    return await row.getByRole('cell').allTextContents()
  }
  expect(await cellsOf(/^maidenName/)).toEqual(['string, at most 80', 'yes', 'view, filter, sort, create, change'])
  expect(await cellsOf(/^father inherited/)).toEqual(['one of men', 'yes', 'view, include, filter, create, set'])
})

it('builds a filter from conditions, and shows them as chips that can be removed', async () => {
  const { page } = await explorer().visitFamily('/humans')
  const builder = await openBuilder(page, 'Filter')
  await builder.getByLabel('Field 1').selectOption('name')
  await builder.getByLabel('Operator 1').selectOption('contains')
  await builder.getByLabel('Value 1').fill('r')
  await builder.getByRole('button', { name: 'Add condition' }).click()
  await builder.getByLabel('Field 2').selectOption('maidenName')
  await builder.getByLabel('Operator 2').selectOption('is not null')
  const filter = "and(contains(name,'r'),isType(,women,not(equals(maidenName,null))))"
  expect(await builder.getByLabel('URL').textContent()).toBe(`GET /api/humans?filter=${filter}`)
  await builder.getByRole('button', { name: 'Apply' }).click()
  await page.getByRole('rowheader', { name: 'men 1' }).waitFor({ state: 'detached' })
  expect(await idsIn(page)).toEqual(['2', '4'])
  await page.reload()
  await page.getByRole('button', { name: 'Remove maidenName is not null' }).click()
  await page.getByRole('rowheader', { name: 'men 1' }).waitFor()
  expect(new URL(page.url()).searchParams.get('filter')).toBe("contains(name,'r')")
})

it('doubles quotes in values, joins conditions with or, and keeps what is no condition as an expression', async () => {
  const { humans, visit } = explorer()
  await humans.addMan({ name: "O'Hara" })
  const page = await visit("/men?filter=or(not(or(has(children),equals(name,'x),'))),equals(name,'O''Hara'))")
  const builder = await openBuilder(page, 'Filter')
  expect(await builder.getByLabel('Expression 1').inputValue()).toBe("not(or(has(children),equals(name,'x),')))")
  expect(await builder.getByLabel('Value 2').inputValue()).toBe("O'Hara")
  await builder.getByLabel('Value 2').fill("O'Brian, 'Bob'")
  await builder.getByRole('button', { name: 'Remove condition 1' }).click()
  await builder.getByRole('button', { name: 'Apply' }).click()
  await page.getByText('No resources match.').waitFor()
  expect(new URL(page.url()).searchParams.get('filter')).toBe("equals(name,'O''Brian, ''Bob''')")
})

it('shows an error at the parameter that caused it, a response that is not JSON, and the one for an unknown type', async () => {
  const page = await explorer().visit('/humans')
  const builder = await openBuilder(page, 'Text')
  await builder.getByLabel('Query string').fill('sort=nmae')
  await builder.getByRole('button', { name: 'Apply' }).click()
  await page.getByText('400 Bad Request', { exact: true }).waitFor()
  await page.getByRole('region', { name: 'Query' }).getByRole('alert').getByText("Did you mean 'name'?").waitFor()
  await page.getByRole('button', { name: 'Remove nmae ↑' }).click()
  await page.getByText('200 OK', { exact: true }).waitFor()
  const reload = async (handler: (route: Route) => Promise<void>) => {
    await page.route('**/api/humans', handler, { times: 1 })
    await page.getByRole('button', { name: 'Reload' }).click()
  }
  await reload((route) => route.fulfill({ contentType: 'text/html', body: '<p>' }))
  await page.getByText('The response is not JSON.').waitFor()
  await reload((route) => route.abort())
  await page.locator('.status').getByText('No response from the server', { exact: true }).waitFor()
  await page.goto(new URL('/api/womn', page.url()).href)
  await page.getByText("Did you mean 'women'?").waitFor()
})

it('shows the position, the total and the next page', async () => {
  const { page } = await explorer().visitFamily('/humans?page[size]=2&sort=-name')
  expect(await idsIn(page)).toEqual(['4', '2'])
  await page.getByText('1–2 of 4').waitFor()
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Next' }).click()
  await page.getByText('3–4 of 4').waitFor()
  expect(await idsIn(page)).toEqual(['3', '1'])
  expect(await page.getByRole('link', { name: 'Next' }).count()).toBe(0)
  await page.goBack()
  await page.getByText('1–2 of 4').waitFor()
  await page.getByLabel('Rows per page').selectOption('10')
  await page.getByText('1–4 of 4').waitFor()
})

it('sorts by columns, hides columns and remembers it, and keeps the head of the table in view', async () => {
  const { page } = await explorer().visitFamily('/humans')
  const head = (name: string) => page.getByRole('columnheader', { name, exact: true }).getByRole('link')
  await head('name').click()
  await page.locator('th[aria-sort=ascending]').getByRole('link').click()
  await page.locator('th[aria-sort=descending]').waitFor()
  await page.getByRole('button', { name: 'Remove name ↓' }).waitFor()
  await page.locator('tbody tr:first-child').getByText('Karen').waitFor()
  expect(await idsIn(page)).toEqual(['4', '2', '3', '1'])
  await head('id').click({ modifiers: ['Shift'] })
  await page.waitForURL(/sort=-name,id/)
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('group', { name: 'Columns' }).getByLabel('father').uncheck()
  await page.getByRole('columnheader', { name: 'father' }).waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('columnheader', { name: 'mother' }).waitFor()
  expect(await page.getByRole('columnheader', { name: 'father' }).count()).toBe(0)
  // Without storage, columns can be hidden as well.
  await page.evaluate("Storage.prototype.setItem = () => { throw new Error('There is no space.') }")
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('group', { name: 'Columns' }).getByLabel('mother').uncheck()
  await page.getByRole('columnheader', { name: 'mother' }).waitFor({ state: 'detached' })
  await page.setViewportSize({ width: 1280, height: 240 })
  const place = await page.locator('.table-scroll').evaluate((table) => {
    table.scrollTop = 20
    const top = (element: Element | null) => element?.getBoundingClientRect().top ?? Number.NaN
    return [table.scrollTop, Math.round(top(table.querySelector('thead th')) - top(table))]
  })
  // The border has one pixel.
  expect(place).toEqual([20, 1])
})

it('shows a row in a panel, and gives the focus back when it closes', async () => {
  const { page } = await explorer().visitFamily('/humans')
  const row = page.getByRole('rowheader', { name: 'men 1' }).getByRole('link')
  await row.click()
  const panel = page.getByRole('complementary', { name: /^Arthur/ })
  await panel.getByRole('region', { name: 'wife' }).getByRole('link', { name: 'Greta women 2' }).waitFor()
  await panel.getByRole('region', { name: 'children' }).getByRole('link', { name: 'Karen women 4' }).waitFor()
  expect(new URL(page.url()).hash).toBe('#/men/1')
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  expect(await row.evaluate((element) => element === document.activeElement)).toBe(true)
  await page.goBack()
  await panel.waitFor()
})

it('follows links of relationships and of the document', async () => {
  const { page } = await explorer().visitFamily('/men/1')
  await page.getByRole('link', { name: 'wife: related' }).click()
  await page.getByRole('article', { name: 'women 2' }).waitFor()
  await page.getByRole('radio', { name: 'Document' }).check()
  await page.getByRole('region', { name: 'Document' }).getByRole('link', { name: '"/api/women/2/husband"' }).click()
  await page.getByRole('article', { name: 'men 1' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/api/women/2/husband')
})

it('includes related resources with the chosen fields', async () => {
  const { page } = await explorer().visitFamily('/men')
  const include = await openBuilder(page, 'Include')
  await include.getByRole('button', { name: 'Relationships of wife' }).click()
  await include.getByRole('checkbox', { name: 'wife.husband' }).check()
  await include.getByRole('button', { name: 'Apply' }).click()
  await page.getByRole('region', { name: 'men', exact: true }).getByRole('link', { name: 'Greta women 2' }).waitFor()
  const fields = await openBuilder(page, 'Fields')
  await fields.getByRole('group', { name: 'women' }).getByLabel('name', { exact: true }).uncheck()
  await fields.getByRole('button', { name: 'Apply' }).click()
  await page.locator('summary', { hasText: 'Included women' }).click()
  const heads = page.getByRole('region', { name: 'Included women' }).getByRole('columnheader')
  await heads.filter({ hasText: /^name$/ }).waitFor({ state: 'detached' })
  expect(await heads.allTextContents()).toContain('maidenName')
})

it('shows stored HTML as text', async () => {
  const { humans, visit } = explorer()
  const evil = '<img src=x onerror="document.title=\'hit\'">'
  await humans.addMan({ name: evil })
  const page = await visit('/men')
  await page.getByText(evil).waitFor()
  await page.getByRole('radio', { name: 'Document' }).check()
  await page.getByRole('region', { name: 'Document' }).waitFor()
  await page.goto(`${humans.url}/api/men/1`)
  await page.getByRole('article').getByText(evil).waitFor()
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('name', { exact: true }).waitFor()
  expect(await page.locator('img').count()).toBe(0)
  expect(await page.title()).toBe('men / 1 – JSON:API')
})
