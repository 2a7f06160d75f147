import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { type HumansApi, startHumans } from '../../support/humans'
import { type Browser, startBrowser } from './browser'

export interface ExplorerSession {
  readonly humans: HumansApi
  visit(path: string, options?: BrowserContextOptions): Promise<Page>
  /** Adds the family, and opens a page of the explorer. */
  visitFamily(
    path: string,
    options?: BrowserContextOptions,
  ): Promise<{ readonly humans: HumansApi; readonly page: Page }>
}

/** Starts a browser for the tests of a file, and the example API with its explorer for each test. An unexpected error on a page fails the test. */
export function exploreHumans(options: Parameters<typeof startHumans>[0] = {}): () => ExplorerSession {
  let browser: Browser
  let humans: HumansApi
  beforeAll(async () => {
    browser = await startBrowser()
  })
  beforeEach(async () => {
    humans = await startHumans({ explorer: true, mountPath: '/api', ...options })
  })
  afterEach(async () => {
    await browser.closePages()
    await humans.close()
    expect(browser.takeErrors()).toEqual([])
  })
  afterAll(() => browser.close())
  const visit: ExplorerSession['visit'] = (path, view) => browser.open(`${humans.url}/api${path}`, view)
  const visitFamily: ExplorerSession['visitFamily'] = async (path, view) => {
    await addFamily(humans)
    return { humans, page: await visit(path, view) }
  }
  return () => ({ humans, visit, visitFamily })
}

export async function addFamily(humans: HumansApi): Promise<void> {
  const arthur = await humans.addMan({ name: 'Arthur' })
  const greta = await humans.addWoman({ name: 'Greta', maidenName: 'Hill' })
  const conrad = await humans.addMan({ name: 'Conrad', hasBeard: true })
  const karen = await humans.addWoman({ name: 'Karen', maidenName: 'Carter' })
  await humans.link(arthur, 'wife', greta)
  await humans.link(greta, 'husband', arthur)
  await humans.link(arthur, 'children', [conrad, karen])
  for (const child of [conrad, karen]) await humans.link(child, 'father', arthur)
}

/** Returns the ids in the first table of the response, row by row. */
export async function idsIn(page: Page): Promise<readonly string[]> {
  await page.getByText('200 OK', { exact: true }).waitFor()
  return page
    .getByRole('region', { name: 'Answer' })
    .locator('.resources')
    .first()
    .locator('tbody th')
    .allTextContents()
}

/** Opens the form for a part of the query. */
export async function openBuilder(page: Page, section: string): Promise<Locator> {
  await page.getByRole('group', { name: section }).getByRole('button', { name: section, exact: true }).click()
  return page.getByRole('form', { name: section })
}
