import express from 'express'
import type { Route } from 'playwright-core'
import { createJsonApi, JsonApiError } from 'stemma'
import { useApi } from '../support/api'
import { Human, Man, startHumans, Woman } from '../support/humans'
import { serve } from '../support/server'
import { exploreHumans } from './support/explore-humans'

const TOKEN = 'kept-in-the-tab-only'

const explorer = exploreHumans({
  ...({ serverTiming: true, explain: 'development' } as const),
  context: (request) => {
    if (request.get('authorization') !== `Bearer ${TOKEN}`) throw new JsonApiError({ status: 401, title: 'Log in.' })
  },
})

/** Runs in the page. */
const everything = () => document.documentElement.outerHTML + JSON.stringify(localStorage) + location.href

/** Opens a page, and enters the token when the description is refused. */
async function signIn(query: string) {
  const { page } = await explorer().visitFamily(`/men${query}`)
  const form = page.getByRole('form', { name: 'Bearer token' })
  expect(await form.getByLabel('Token').getAttribute('type')).toBe('password')
  await form.getByLabel('Token').fill(TOKEN)
  await form.getByRole('button', { name: 'Use' }).click()
  await page.getByRole('rowheader', { name: 'men 1' }).waitFor()
  return page
}

it('shows the token neither on the page nor in code and history', async () => {
  const page = await signIn("?filter=any(name,'Arthur','x')&sort=-name&include=children.mother&page[size]=2,children:1")
  await page.getByText('Copy the request as code').click()
  for (const [format, part] of [
    ['curl', "-H 'authorization: …'"],
    ['fetch', "authorization: '…'"],
    [
      'Typed client',
      "\n  filter: any('name', ['Arthur', 'x']),\n  sort: [descending('name')],\n  page: { size: 2 },\n",
    ],
    ['Typed client', '  include: { children: { page: { size: 1 }, include: { mother: true } } },\n})'],
  ] as const) {
    await page.getByRole('radio', { name: format }).check()
    expect(await page.locator('.copy pre').textContent()).toContain(part)
  }
  await page.getByRole('button', { name: 'History' }).click()
  await page.getByRole('dialog').getByText('GET', { exact: true }).waitFor()
  expect(await page.evaluate(everything)).not.toContain(TOKEN)
})

it('shows the time on the server and the plan, and saves queries without secrets of the URL', async () => {
  const page = await signIn('?sort=name')
  const timing = page.getByRole('region', { name: 'Time on the server' })
  await timing.getByText(/^database/).waitFor()
  await page.getByRole('button', { name: 'Explain this read' }).click()
  const plan = page.getByRole('region', { name: 'Plan', exact: true })
  expect(await plan.locator('pre').first().textContent()).toMatch(/^select /)
  await page.goto(`${page.url()}&access_token=hidden&p%77d=hidden`)
  await page.getByRole('button', { name: 'History' }).click()
  await page.getByLabel('Save the shown query under a name').fill('By name')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('button', { name: /^By name/ }).click()
  await page.waitForURL(/\?sort=name$/)
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('hidden')
})

it('keeps a form when a credential changes, and announces each response', async () => {
  const page = await signIn('#new')
  await page.getByLabel('name required').fill('Abel')
  const announced = page.locator('.unseen[role=status]')
  await page.getByRole('button', { name: 'Reload' }).click()
  await announced.getByText('The response is shown').waitFor()
  const text = await announced.textContent()
  await page.getByRole('button', { name: 'Reload' }).click()
  await page.waitForFunction((old) => document.querySelector('.unseen[role=status]')?.textContent !== old, text)
  await page.getByRole('button', { name: 'Authorize' }).click()
  const useTenant = async (value: string, reloaded: RegExp) => {
    await page.getByLabel('Header', { exact: true }).fill('X-Tenant')
    await page.getByLabel('Value', { exact: true }).fill(value)
    const request = page.waitForRequest(reloaded)
    await page.getByRole('form', { name: 'Another header' }).getByRole('button', { name: 'Use' }).click()
    return (await request).headerValue('x-tenant')
  }
  expect(await useTenant('one', /\/api\/men/)).toBe('one')
  // A slow description does not replace a newer one.
  let respondLate = () => {}
  const fail = (route: Route) => {
    respondLate = () => void route.fulfill({ status: 503, body: '' })
  }
  await page.route('**/openapi.json', fail, { times: 1 })
  await useTenant('two', /openapi/)
  await useTenant('three', /\/api\/men/)
  const late = page.waitForResponse((response) => response.status() === 503)
  respondLate()
  await (await late).finished()
  await page.waitForTimeout(100)
  expect(await page.getByLabel('name required').inputValue()).toBe('Abel')
  await page.route('**/openapi.json', (route) => route.fulfill({ contentType: 'text/html', body: '<p>Log in' }))
  await page.reload()
  await page.getByRole('heading', { name: 'The description of the API cannot be loaded' }).waitFor()
})

it('opens the OpenAPI document with the token, and refuses headers that a page cannot send', async () => {
  const page = await signIn('')
  const opened = page.waitForEvent('popup')
  await page.getByRole('link', { name: 'OpenAPI' }).click()
  expect(await (await opened).textContent('body')).toContain('"openapi"')
  await (await opened).close()
  await page.getByRole('button', { name: 'Authorize' }).click()
  for (const [name, reason] of [
    ['Cookie', 'Browsers do not let a page set the header Cookie.'],
    ...['Accept', 'Content-Type', 'IF-MATCH'].map((own) => [own, `The page itself sets the header ${own}.`] as const),
  ] as const) {
    await page.getByLabel('Header', { exact: true }).fill(name)
    await page.getByRole('form', { name: 'Another header' }).getByRole('button', { name: 'Use' }).click()
    await page.getByText(reason).waitFor()
  }
})

it('has a form for each documented scheme, sends what is entered, and masks it', async () => {
  const securitySchemes = {
    login: { type: 'http', scheme: 'basic' },
    headerKey: { type: 'apiKey', in: 'header', name: 'X-Key' },
    queryKey: { type: 'apiKey', in: 'query', name: 'apiKey' },
    session: { type: 'apiKey', in: 'cookie', name: 'sid' },
  }
  const options = { explorer: true, unknownParameters: ['apiKey'], openApi: { securitySchemes } }
  await useApi(startHumans(options), async ({ url }) => {
    const page = await explorer().open(`${url}/men`)
    await page.getByRole('button', { name: 'Authorize' }).click()
    await page.getByText('The browser sends the cookie sid by itself.').waitFor()
    for (const [scheme, values] of [
      ['login', { 'User name': 'Zoë', Password: 'secret-1' }],
      ['headerKey', { 'X-Key': 'secret-2' }],
      ['queryKey', { apiKey: 'secret-3' }],
    ] as const) {
      const form = page.getByRole('form', { name: scheme })
      for (const [label, value] of Object.entries(values)) await form.getByLabel(label).fill(value)
      await form.getByRole('button', { name: 'Use' }).click()
      await form.getByText('in use').waitFor()
    }
    await page.keyboard.press('Escape')
    const sent = page.waitForRequest(`${url}/men?apiKey=secret-3`)
    await page.getByRole('button', { name: 'Reload' }).click()
    const { authorization, 'x-key': key } = await (await sent).allHeaders()
    const login = Buffer.from('Zoë:secret-1').toString('base64')
    expect([authorization, key]).toEqual([`Basic ${login}`, 'secret-2'])
    await page.getByText('Copy the request as code').click()
    const masked = "/men?apiKey=…' \\\n  -H 'authorization: …' \\\n  -H 'x-key: …'"
    expect(await page.locator('.copy pre').textContent()).toContain(masked)
    await page.getByRole('button', { name: 'History' }).click()
    await page.getByRole('dialog').getByText('GET', { exact: true }).waitFor()
    const shown = await page.evaluate(everything)
    expect([shown.includes('secret-'), shown.includes(login)]).toEqual([false, false])
  })
})

it('sends a token only to the API for which it was entered, if several have the same host', async () => {
  const page = await signIn('')
  const { dataSource } = explorer().humans
  const { router } = createJsonApi({ dataSource, resources: [Human, Man, Woman], explorer: true, startupLog: false })
  await useApi(serve(express().use(['/one', '/two'], router)), async ({ url }) => {
    const tokenAt = async (path: string) => {
      const request = page.waitForRequest(`${url}${path}/openapi.json`)
      await page.goto(url + path)
      return (await request).headerValue('authorization')
    }
    await tokenAt('/one')
    await page.getByRole('button', { name: 'Authorize' }).click()
    const form = page.getByRole('form', { name: 'Bearer token' })
    await form.getByLabel('Token').fill(TOKEN)
    await form.getByRole('button', { name: 'Use' }).click()
    await page.getByText('1 in use').waitFor()
    expect([await tokenAt('/two'), await tokenAt('/one')]).toEqual([null, `Bearer ${TOKEN}`])
  })
})
