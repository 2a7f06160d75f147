import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { addFamily, exploreHumans, openBuilder } from './support/explore-humans'

const explorer = exploreHumans()

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')

/** Returns the violations that axe finds, each with its element. */
async function violationsOn(page: Page): Promise<readonly string[]> {
  // `evaluate` bypasses the Content-Security-Policy of the page.
  await page.evaluate(axe)
  return page.evaluate(async () => {
    const { axe: judge } = globalThis as unknown as { axe: typeof import('axe-core') }
    const { violations } = await judge.run()
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
  })
}

async function sendEmptyForm(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Create women' }).click()
  await page.getByText('This field is required.').waitFor()
}

async function openPicker(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add to children' }).click()
  await page.getByRole('option', { name: /Greta/ }).waitFor()
}

describe.each(['light', 'dark'] as const)('in the color scheme %s', (colorScheme) => {
  it.each<[what: string, path: string, act: (page: Page) => Promise<unknown>]>([
    ['the overview', '/', (page) => page.getByRole('heading', { level: 1 }).waitFor()],
    ['a table', '/humans?include=wife,husband', (page) => page.getByText('200 OK', { exact: true }).waitFor()],
    ['a document', '/humans', (page) => page.getByRole('radio', { name: 'Document' }).check()],
    ['a query', '/humans?filter=contains(name,%27r%27)&sort=name', (page) => openBuilder(page, 'Filter')],
    ['an error', '/humans?sort=nmae', (page) => page.getByText('400 Bad Request', { exact: true }).waitFor()],
    ['a form with errors', '/women#new', sendEmptyForm],
    ['a panel', '/humans#/men/1', (page) => page.getByRole('article', { name: 'men 1' }).waitFor()],
    ['a form', '/men/1', (page) => page.getByRole('button', { name: 'Edit' }).click()],
    ['the dialog before a deletion', '/men/1', (page) => page.getByRole('button', { name: 'Delete …' }).click()],
    ['a picker', '/men/1/relationships/children', openPicker],
    ['the credentials', '/men', (page) => page.getByRole('button', { name: 'Authorize' }).click()],
    ['the history', '/men', (page) => page.getByRole('button', { name: 'History' }).click()],
    ['a request as code', '/men', (page) => page.getByText('Copy the request as code').click()],
    ['a focused type', '/', (page) => page.locator('.hierarchy-picture a').first().focus()],
    ['operations', '/operations', (page) => page.getByRole('button', { name: 'Add an operation' }).click()],
  ])('axe finds no violation on %s', async (_what, path, act) => {
    const { page } = await explorer().visitFamily(path, { colorScheme })
    await act(page)
    expect(await violationsOn(page)).toEqual([])
  })
})

it('axe finds an input without a label', async () => {
  const page = await explorer().visit('/')
  await page.evaluate(() => document.body.append(document.createElement('input')))
  expect(await violationsOn(page)).toContain('label: <input>')
})

it('uses the color scheme of the browser', async () => {
  const backgroundOf = (page: Page) => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  const light = await explorer().visit('/', { colorScheme: 'light' })
  const dark = await explorer().visit('/', { colorScheme: 'dark' })
  expect([await backgroundOf(light), await backgroundOf(dark)]).toEqual(['rgb(246, 247, 249)', 'rgb(16, 18, 22)'])
})

it.each(['/', '/humans?include=children', '/humans#/men/1', '/men#new', '/men/1/relationships/children', '/nothing'])(
  'does not scroll sideways on a phone at %s',
  async (path) => {
    const { humans, visit } = explorer()
    await addFamily(humans)
    await humans.addMan({ name: 'Hubert Blaine Wolfeschlegelsteinhausenbergerdorff'.slice(0, 80) })
    const page = await visit(path, { viewport: { width: 360, height: 740 } })
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(width).toBe(360)
  },
)

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

  it('a user can skip the types and go to the content', async () => {
    const page = await explorer().visit('/')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('content')
  })

  it('a user can filter a collection and read a row', async () => {
    const { page } = await explorer().visitFamily('/')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await tabTo(page, 'women')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'women' }).waitFor()
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('content')
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
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Delete …')
    expect((await humans.get('/api/men/1')).status).toBe(200)
  })
})
