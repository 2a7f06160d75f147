import type { Locator, Page } from 'playwright-core'
import { type HumansApi, startHumans } from '../../support/humans'
import { type Tab, useBrowser } from './browser'

export interface ExplorerSession extends Tab {
  readonly humans: HumansApi
  visit(path: string, ...screen: Screen): Promise<Page>
  /** Adds the family, and opens a page of the explorer. */
  visitFamily(path: string, ...screen: Screen): Promise<{ readonly humans: HumansApi; readonly page: Page }>
}

type Screen = [screen?: Parameters<Tab['open']>[1]]

/** Starts a browser for the tests of a file, and the example API with its explorer for each test. */
export function exploreHumans(options: Parameters<typeof startHumans>[0] = {}): () => ExplorerSession {
  const tab = useBrowser()
  let humans: HumansApi
  beforeEach(async () => {
    humans = await startHumans({ explorer: true, mountPath: '/api', ...options })
  })
  afterEach(() => humans.close())
  const visit: ExplorerSession['visit'] = (path, ...screen) => tab.open(`${humans.url}/api${path}`, ...screen)
  const visitFamily: ExplorerSession['visitFamily'] = async (path, ...screen) => {
    await addFamily(humans)
    return { humans, page: await visit(path, ...screen) }
  }
  return () => ({ ...tab, humans, visit, visitFamily })
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
