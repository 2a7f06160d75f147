import { JsonApiError } from 'stemma'
import { exploreHumans } from './support/explore-humans'

const TOKEN = 'kept-in-the-tab-only'

const explorer = exploreHumans({
  context: (request) => {
    if (request.get('authorization') !== `Bearer ${TOKEN}`) throw new JsonApiError({ status: 401, title: 'Log in.' })
    return {}
  },
  openApi: {
    securitySchemes: {
      token: { type: 'http', scheme: 'bearer' },
      key: { type: 'apiKey', in: 'query', name: 'api_key' },
      session: { type: 'apiKey', in: 'cookie', name: 'sid' },
    },
  },
})

it('explains a refused description, and loads it with a token that it never shows', async () => {
  const { page } = await explorer().visitFamily('/men')
  await page.getByRole('heading', { name: 'Sign in to see this API' }).waitFor()
  await page.getByText('Log in.').waitFor()
  const form = page.getByRole('form', { name: 'Bearer token' })
  const input = form.getByLabel('Token')
  expect(await input.getAttribute('type')).toBe('password')
  await input.fill('wrong')
  await form.getByRole('button', { name: 'Use' }).click()
  await form.getByText('in use').waitFor()
  await input.fill(TOKEN)
  await form.getByRole('button', { name: 'Replace' }).click()
  await page.getByRole('rowheader', { name: 'men 3' }).waitFor()
  await page.getByText('Copy the request as code').click()
  for (const format of ['fetch', 'Typed client', 'curl']) {
    await page.getByRole('radio', { name: format }).check()
    expect(await page.locator('.copy pre').textContent()).toContain('…')
  }
  await page.getByRole('button', { name: 'History' }).click()
  await page.getByText('GET', { exact: true }).first().waitFor()
  const shown = await page.evaluate(
    () => document.documentElement.outerHTML + JSON.stringify(localStorage) + location.href,
  )
  expect(shown).not.toContain(TOKEN)
  await page.reload()
  await page.getByRole('rowheader', { name: 'men 3' }).waitFor()
  const other = await page.context().newPage()
  await other.goto(page.url())
  await other.getByRole('heading', { name: 'Sign in to see this API' }).waitFor()
})

it('offers the documented schemes, and refuses headers that a page cannot send', async () => {
  const page = await explorer().visit('/men')
  await page.getByRole('form', { name: 'Bearer token' }).getByLabel('Token').fill(TOKEN)
  await page.getByRole('form', { name: 'Bearer token' }).getByRole('button', { name: 'Use' }).click()
  await page.getByRole('button', { name: 'Authorize' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(/The browser sends the cookie sid by itself/).waitFor()
  const other = dialog.getByRole('form', { name: 'Another header' })
  await other.getByLabel('Header').fill('Cookie')
  await other.getByLabel('Value').fill('a=b')
  await other.getByRole('button', { name: 'Use' }).click()
  await other.getByText('Browsers do not let a page set the header Cookie.').waitFor()
  const key = dialog.getByRole('form', { name: 'key' })
  await key.getByLabel('api_key').fill('secret key')
  const sent = page.waitForRequest((request) => request.url().endsWith('/openapi.json?api_key=secret%20key'))
  await key.getByRole('button', { name: 'Use' }).click()
  await sent
  await key.getByRole('button', { name: 'Forget' }).click()
  const without = page.waitForRequest((request) => request.url().endsWith('/api/openapi.json'))
  await dialog.getByRole('region', { name: 'Bearer token' }).getByRole('button', { name: 'Forget' }).click()
  await without
  await page.getByRole('heading', { name: 'Sign in to see this API' }).waitFor()
})
