import { readFileSync } from 'node:fs'
import type { ResourceClass } from 'stemma'
import { startApi, useApi } from '../support/api'
import { SHELVES } from '../support/shelves'
import { TRADE } from '../support/trade'
import { VEHICLES } from '../support/vehicles'
import { TEAMS, VESSELS } from '../support/writing-models'
import { exploreHumans } from './support/explore-humans'

const { hierarchyOf } = require('../../scripts/screenshots/hierarchy') as { hierarchyOf(size: number): ResourceClass[] }
const explorer = exploreHumans()

it('highlights, finds, hides and moves types, saves them as SVG and as a class diagram, and opens one', async () => {
  const page = await explorer().visit('/')
  const picture = page.getByRole('region', { name: 'Picture of the resource types' })
  const field = picture.getByText('maidenName', { exact: true })
  await field.waitFor()
  for (const highlight of ['hover', 'focus'] as const) {
    await page.mouse.move(0, 0)
    await picture.locator('svg:not(.has-lit)').waitFor()
    await picture.getByRole('link', { name: 'women' })[highlight]()
    await picture.locator('.has-lit .is-inheritance:not(.is-lit)').waitFor({ state: 'attached' })
    // To the base, to men, and from `mother` of humans.
    expect(await picture.locator('.hierarchy-edge.is-lit').count()).toBe(3)
  }
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save as SVG' }).click()
  const svg = readFileSync(await (await download).path(), 'utf8')
  expect(svg).toMatch(/^<svg[^>]*><style>[^<]*\.hierarchy-outline.*>maidenName<\/text>/s)
  expect(svg).not.toMatch(/var\(|light-dark|href=/)
  await page.getByRole('button', { name: 'Mermaid' }).click()
  const text = await page.getByRole('dialog').locator('pre').textContent()
  expect(text).toMatch(/ class humans \{\n {4}<<abstract>>\n {4}string name\n.*humans <\|-- women\n/s)
  await page.keyboard.press('Escape')
  await picture.getByRole('button', { name: 'Fields of women' }).press('Enter')
  await field.waitFor({ state: 'detached' })
  await picture.getByRole('button', { name: 'Types derived from humans' }).click()
  await picture.getByRole('link', { name: 'women' }).waitFor({ state: 'detached' })
  expect(await picture.locator('.hierarchy-edge title').textContent()).toContain('men.wife → women')
  await page.getByLabel('Find a type or a field').fill('maiden')
  await page.getByLabel('Only these').check()
  await picture.getByRole('link', { name: 'humans' }).waitFor({ state: 'detached' })
  const shown = await picture.locator('.hierarchy-moved').getAttribute('transform')
  await picture.press('-')
  await picture.locator(`.hierarchy-moved:not([transform="${shown}"])`).waitFor()
  await picture.getByRole('link', { name: 'women' }).hover()
  await page.mouse.down()
  await page.mouse.move(0, 0, { steps: 3 })
  await page.mouse.up()
  await picture.getByRole('link', { name: 'women' }).press('Enter')
  await page.getByRole('heading', { level: 1, name: 'women' }).waitFor()
  await page.route('**/type-hierarchy-diagram-*', (route) => route.abort())
  await page.goto(new URL('/api/', page.url()).href)
  await page.getByText('The picture of the types cannot be loaded.').waitFor()
})

it.each<[size: number, name: string, types: readonly ResourceClass[]]>([
  [11, 'kind10', hierarchyOf(11)],
  [60, 'kind59', hierarchyOf(60)],
  [50, 'tandems', [...VEHICLES, ...TEAMS, ...VESSELS, ...SHELVES, ...TRADE]],
])('draws %i types without lines through boxes and overlapping texts, and finds %s', async (size, name, types) => {
  await useApi(startApi(types, { explorer: true }), async ({ url }) => {
    const page = await explorer().open(`${url}/`, { width: 1920, height: 1080 })
    const fields = page.getByLabel('Fields', { exact: true })
    expect(await fields.isChecked()).toBe(size < 25)
    await fields.check()
    await page.getByLabel('Names of relationships').check()
    await page.locator('.hierarchy-label').first().waitFor()
    const found = await page.locator('.hierarchy-picture').evaluate((picture) => {
      const rects = (selector: string) =>
        [...picture.querySelectorAll(selector)].map((part) => part.getBoundingClientRect())
      const [boxes, labels] = [rects('.hierarchy-outline'), rects('.hierarchy-label rect')]
      const inner = boxes.map(({ x, y, width, height }) => new DOMRect(x + 1, y + 1, width - 2, height - 2))
      const overlap = (one: DOMRect, other: DOMRect) =>
        one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom
      const all = [...boxes, ...labels]
      const pairs = all.flatMap((one, at) => all.slice(at + 1).filter((other) => overlap(one, other)))
      const crossed = [...picture.querySelectorAll<SVGPathElement>('.hierarchy-line')].filter((line) => {
        const [length, toScreen] = [line.getTotalLength(), line.getScreenCTM() ?? undefined]
        return Array.from({ length: 201 }, (_, step) => line.getPointAtLength((length * step) / 200)).some((point) => {
          const { x, y } = point.matrixTransform(toScreen)
          return inner.some((box) => overlap(box, new DOMRect(x, y)))
        })
      })
      return [boxes.length, labels.length > boxes.length * 0.4, pairs, crossed.length]
    })
    expect(found).toEqual([size, true, [], 0])
    await page.getByLabel('Find a type or a field').fill(name)
    await page.locator('.has-lit .hierarchy-box.is-lit').getByRole('link', { name, exact: true }).waitFor()
    await page.locator('.hierarchy-moved[transform$="scale(1)"]').waitFor()
  })
})
