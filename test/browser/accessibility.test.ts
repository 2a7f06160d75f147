import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { addFamily, exploreHumans, openBuilder } from './support/explore-humans'

const explorer = exploreHumans()
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')

/** The rules that depend on the color scheme, which changes nothing but colors. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block']

/** Returns the violations that axe finds, each with its element. Default: all rules for the levels A and AA. */
async function violationsOn(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  // `evaluate` bypasses the Content-Security-Policy of the page.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe)
  return page.evaluate(async (values) => {
    const { axe: judge } = globalThis as unknown as { axe: typeof import('axe-core') }
    const { violations } = await judge.run({
      resultTypes: ['violations'],
      ...(values && { runOnly: { type: 'rule' as const, values: [...values] } }),
    })
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
  }, rules)
}

/** Waits for the response that a view shows. */
async function waitForResponse(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.locator('[aria-busy=true]').waitFor({ state: 'detached' })
}

/** Waits for an element, after a click on another one if it is given. */
function see(shown: string, clicked?: string) {
  return async (page: Page) => {
    if (clicked !== undefined) await page.locator(clicked).click()
    await page.locator(shown).first().waitFor()
  }
}

/** Waits for the panel of men 1, with the names of its children. */
const seePanel = see('article[aria-label="men 1"] a:has-text("Karen")')

it.each<[what: string, path: string, act: (page: Page) => Promise<unknown>]>([
  ['the overview', '/', see('.hierarchy-picture a')],
  ['a table', '/humans?include=wife,husband', see('text="200 OK"')],
  ['a document', '/humans', see('.json', 'role=radio[name="Document"]')],
  ['a query', '/humans?filter=contains(name,%27r%27)&sort=name', (page) => openBuilder(page, 'Filter')],
  ['an error', '/humans?sort=nmae', see('text="400 Bad Request"')],
  ['a form with errors', '/women#new', see('text="This field is required."', 'button:has-text("Create women")')],
  ['a panel', '/humans#/men/1', seePanel],
  ['a form', '/men/1', see('form', 'button:has-text("Edit")')],
  ['the dialog before a deletion', '/men/1', see('dialog', 'button:has-text("Delete …")')],
  ['a picker', '/men/1/relationships/children', see('[role=option]', '[aria-label="Add to children"]')],
  ['the credentials', '/men', see('dialog', 'button:has-text("Authorize")')],
  ['the history', '/men', see('dialog', 'button:has-text("History")')],
  ['a request as code', '/men', see('.copy pre', 'text="Copy the request as code"')],
  ['a focused type', '/', (page) => page.locator('.hierarchy-picture a').first().focus()],
  ['operations', '/operations', see('.operations-card:nth-child(2)', 'button:has-text("Add an operation")')],
])('axe finds no violation on %s, in light and dark colors', async (_what, path, act) => {
  const { page } = await explorer().visitFamily(path)
  await waitForResponse(page)
  await act(page)
  expect(await violationsOn(page)).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await violationsOn(page, COLOR_RULES)).toEqual([])
})

it.each([
  ['light', 'color: light-dark(#eee, #fff)', 1, 0],
  ['dark', 'color: light-dark(#000, #222)', 0, 1],
])('uses the color scheme; axe finds low contrast in %s, and no label', async (_scheme, style, inLight, inDark) => {
  const page = await explorer().visit('/')
  await waitForResponse(page)
  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  expect(await background()).toBe('rgb(246, 247, 249)')
  await page.locator('h1').evaluate((heading, text) => (heading.style.cssText = text), style)
  expect(await violationsOn(page, COLOR_RULES)).toHaveLength(inLight)
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await background()).toBe('rgb(16, 18, 22)')
  expect(await violationsOn(page, COLOR_RULES)).toHaveLength(inDark)
  await page.evaluate(() => document.body.append(document.createElement('input')))
  expect(await violationsOn(page)).toContain('label: <input>')
})

it.each<[path: string, complete: (page: Page) => Promise<unknown>]>([
  ['/', see('.hierarchy-picture a')],
  ['/humans?include=children', waitForResponse],
  ['/humans#/men/1', seePanel],
  ['/men#new', see('.form')],
  ['/men/1/relationships/children', see('a:has-text("Karen")')],
  ['/nothing', see('text="404 Not Found"')],
])('does not scroll sideways on a phone at %s', async (path, complete) => {
  const { humans, visit } = explorer()
  await addFamily(humans)
  await humans.addMan({ name: 'Hubert Blaine Wolfeschlegelsteinhausenbergerdorff'.slice(0, 80) })
  const page = await visit(path, { width: 360, height: 740 })
  await waitForResponse(page)
  await complete(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
})

describe('with the keyboard', () => {
  /** Presses Tab until the element with this name has the focus. */
  async function tabTo(page: Page, name: string): Promise<void> {
    for (let step = 0; step < 80; step += 1) {
      await page.keyboard.press('Tab')
      const found = await page.evaluate(() => {
        const { activeElement: on } = document
        const label =
          on instanceof HTMLInputElement || on instanceof HTMLSelectElement ? on.labels?.[0]?.textContent : undefined
        return on?.getAttribute('aria-label') ?? label ?? on?.textContent ?? ''
      })
      if (found === name) return
    }
    throw new Error(`Tab does not lead to ${name}.`)
  }

  it('a user can skip the types, filter a collection and read a row', async () => {
    const { page } = await explorer().visitFamily('/')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('content')
    await tabTo(page, 'women')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'women' }).waitFor()
    await page.locator('#content:focus').waitFor()
    await page.getByRole('rowheader', { name: 'women 2' }).waitFor()
    await tabTo(page, 'Filter')
    await page.keyboard.press('Enter')
    await tabTo(page, 'Value 1')
    await page.keyboard.type('Karen')
    await page.keyboard.press('Enter')
    await page.getByRole('rowheader', { name: 'women 2' }).waitFor({ state: 'detached' })
    await tabTo(page, 'women 4')
    await page.keyboard.press('Enter')
    await page.getByRole('article', { name: 'women 4' }).waitFor()
  })

  it('the focus stays near a control that is replaced', async () => {
    const { page } = await explorer().visitFamily('/women/4')
    const press = async (name: string, next: string) => {
      await page.getByRole('button', { name, exact: true }).press('Enter')
      await page.locator(`:focus:is(${next})`).waitFor()
    }
    await press('Set husband', '[role=combobox]')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await page.locator(':focus[aria-label="Set husband"]').waitFor()
    await press('Edit', 'input')
    await press('Cancel', '.resource .actions button')
  })

  it('a user can create a resource and cancel a deletion', async () => {
    const { humans, visit } = explorer()
    const page = await visit('/men')
    await page.getByText('200 OK', { exact: true }).waitFor()
    await tabTo(page, 'Create')
    await page.keyboard.press('Enter')
    await tabTo(page, 'name required')
    await page.keyboard.type('Abel')
    await page.keyboard.press('Enter')
    await page.getByRole('article', { name: 'men 1' }).waitFor()
    await tabTo(page, 'Delete …')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.locator(':focus', { hasText: /^Delete …$/ }).waitFor()
    expect((await humans.get('/api/men/1')).status).toBe(200)
  })
})
