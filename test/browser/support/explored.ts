import type { BrowserContextOptions, Page } from 'playwright-core'
import { type HumansApi, startHumans } from '../../support/humans'
import { type Browser, startBrowser } from './browser'

export interface Explored {
  readonly humans: HumansApi
  visit(path: string, options?: BrowserContextOptions): Promise<Page>
  /** A page of an API that has the family. */
  visitFamily(
    path: string,
    options?: BrowserContextOptions,
  ): Promise<{ readonly humans: HumansApi; readonly page: Page }>
}

/** The rules of the family, and a browser to look at it: for all tests of a file. Nothing may go wrong on any page unseen. */
export function exploreHumans(options: Parameters<typeof startHumans>[0] = {}): () => Explored {
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
    expect(browser.takeFaults()).toEqual([])
  })
  afterAll(() => browser.close())
  const visit: Explored['visit'] = (path, view) => browser.open(`${humans.url}/api${path}`, view)
  const visitFamily: Explored['visitFamily'] = async (path, view) => {
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

/** The cells of the first table of the answer, row by row. */
export function rowsOf(page: Page): Promise<string[][]> {
  return page
    .getByRole('region', { name: 'Answer' })
    .locator('tbody tr')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent ?? '')))
}
