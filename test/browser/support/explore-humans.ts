import type { Locator, Page } from 'playwright-core'
import { type HumansApi, startHumans } from '../../support/humans'
import { type Screen, useBrowser } from './browser'

/** Starts a browser for the tests of a file, and the example API with its explorer for each test. `visitFamily` adds the family first. */
export function exploreHumans(options: Parameters<typeof startHumans>[0] = {}) {
  const tab = useBrowser()
  let humans: HumansApi
  beforeEach(async () => {
    humans = await startHumans({ explorer: true, mountPath: '/api', ...options })
  })
  afterEach(() => humans.close())
  const visit = (path: string, screen?: Screen) => tab.open(`${humans.url}/api${path}`, screen)
  const visitFamily = async (path: string) => {
    await addFamily(humans)
    return { humans, page: await visit(path) }
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
    .getByRole('region', { name: 'Response' })
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
