import { readFileSync } from 'node:fs'
import type { Locator, Page } from 'playwright-core'
import { Attribute, Resource, type ResourceClass, ToOne } from 'stemma'
import { ChildEntity, Column, Entity, ManyToOne, PrimaryGeneratedColumn, TableInheritance } from 'typeorm'
import { startApi } from '../support/api'
import { startBrowser } from './support/browser'
import { exploreHumans } from './support/explore-humans'

const explorer = exploreHumans()

const pictureOn = (page: Page) => page.getByRole('region', { name: 'Picture of the resource types' })

async function visitPicture(): Promise<{ readonly page: Page; readonly picture: Locator }> {
  const page = await explorer().visit('/')
  const picture = pictureOn(page)
  await picture.getByRole('link', { name: 'humans' }).waitFor()
  return { page, picture }
}

/** Returns the pairs of boxes and labels that overlap, and the lines that go through the box of another type. */
function findOverlaps(picture: Locator): Promise<readonly string[]> {
  return picture.evaluate((frame) => {
    const textOf = (part: Element) => part.closest('g')?.querySelector('text')?.textContent ?? ''
    const parts = [...frame.querySelectorAll('.hierarchy-outline, .hierarchy-label rect')].map((part) => ({
      name: textOf(part),
      isBox: part.matches('.hierarchy-outline'),
      box: part.getBoundingClientRect(),
    }))
    const pairs = parts.flatMap(({ name, box }, index) =>
      parts.slice(index + 1).flatMap((other) => {
        const { left, right, top, bottom } = other.box
        const isApart = left >= box.right || right <= box.left || top >= box.bottom || bottom <= box.top
        return isApart ? [] : [`${name} over ${other.name}`]
      }),
    )
    const lines = [...frame.querySelectorAll<SVGPathElement>('.hierarchy-line')].flatMap((line) => {
      const steps = Array.from({ length: 201 }, (_, step) =>
        line.getPointAtLength((line.getTotalLength() * step) / 200),
      )
      return steps.flatMap((point) => {
        const { x, y } = point.matrixTransform(line.getScreenCTM() ?? undefined)
        const crossed = parts.filter(
          ({ isBox, box }) => isBox && x > box.left + 2 && x < box.right - 2 && y > box.top + 2 && y < box.bottom - 2,
        )
        return crossed.map(({ name }) => `${line.parentElement?.querySelector('title')?.textContent} through ${name}`)
      })
    })
    return [...pairs, ...new Set(lines)]
  })
}

it('draws types with inheritance and relationships, without overlaps', async () => {
  const { picture } = await visitPicture()
  expect(await picture.locator('.hierarchy-edge.is-inheritance').count()).toBe(2)
  const titles = await picture.locator('.hierarchy-edge.is-relationship title').allTextContents()
  expect(titles.flatMap((each) => each.split('\n')).toSorted()).toEqual([
    ...['humans.bestFriend → humans', 'humans.children → humans', 'humans.father → men', 'humans.mother → women'],
    ...['men.wife → women', 'women.husband → men'],
  ])
  expect(await findOverlaps(picture)).toEqual([])
})

it('hides and shows fields and derived types', async () => {
  const { picture } = await visitPicture()
  await picture.getByText('maidenName', { exact: true }).waitFor()
  await picture.getByRole('button', { name: 'Fields of women' }).press('Enter')
  await picture.getByText('maidenName', { exact: true }).waitFor({ state: 'detached' })
  await picture.getByRole('button', { name: 'Types derived from humans' }).click()
  await picture.getByRole('link', { name: 'women' }).waitFor({ state: 'detached' })
  const [title] = await picture.locator('.hierarchy-edge title').allTextContents()
  expect(title).toContain('men.wife → women')
  await picture.getByRole('button', { name: 'Types derived from humans' }).press(' ')
  await picture.getByRole('link', { name: 'women' }).waitFor()
})

it('finds types by the names of their fields, and shows only these', async () => {
  const { page, picture } = await visitPicture()
  await page.getByLabel('Find a type or a field').fill('maiden')
  await page.getByText('1 found').waitFor()
  expect(await picture.locator('.hierarchy-box.is-lit').count()).toBe(1)
  await page.getByLabel('Only these').check()
  await picture.getByRole('link', { name: 'humans' }).waitFor({ state: 'detached' })
  expect(await picture.getByRole('link').count()).toBe(1)
})

it('moves and zooms with the keyboard, lights up neighbours, and opens a type', async () => {
  const { page, picture } = await visitPicture()
  const shown = await picture.locator('.hierarchy-moved').getAttribute('transform')
  await picture.focus()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('+')
  await picture.locator(`.hierarchy-moved:not([transform="${shown}"])`).waitFor()
  await page.keyboard.press('0')
  await picture.locator(`.hierarchy-moved[transform="${shown}"]`).waitFor()
  await picture.getByRole('link', { name: 'men', exact: true }).focus()
  expect(await picture.locator('.has-lit .hierarchy-box.is-lit').count()).toBe(3)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'men' }).waitFor()
})

it('saves the picture as SVG without outside styles, and prints a class diagram', async () => {
  const { page } = await visitPicture()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as SVG' }).click(),
  ])
  const svg = readFileSync(await file.path(), 'utf8')
  expect(svg).toMatch(/^<svg[^>]*><style>[^<]*\.hierarchy-outline/)
  expect(svg).not.toMatch(/var\(|light-dark|href=/)
  expect(svg).toContain('>maidenName</text>')
  await page.getByRole('button', { name: 'Mermaid' }).click()
  const text = await page.getByRole('dialog').locator('pre').textContent()
  expect(text).toContain('  class humans {\n    <<abstract>>\n    string name\n  }\n')
  expect(text).toContain('  humans <|-- women\n')
  expect(text).toContain('  humans --> "*" humans : children\n')
})

describe('with 60 types', () => {
  function makeTypes(): readonly ResourceClass[] {
    const all: ResourceClass[] = []
    for (let root = 0; root < 12; root += 1) {
      class Root {
        declare id: number
        declare title: string
        declare next: object | null
      }
      Object.defineProperty(Root, 'name', { value: `Root${root}` })
      PrimaryGeneratedColumn()(Root.prototype, 'id')
      Attribute()(Root.prototype, 'title')
      Column({ type: 'varchar', length: 20 })(Root.prototype, 'title')
      for (const [name, step] of [...Object.entries({ next: 1, other: 5 }), ['itself', 0] as const]) {
        ToOne()(Root.prototype, name)
        ManyToOne(() => all[((root + step) % 12) * 5] ?? Root, { nullable: true })(Root.prototype, name)
      }
      Entity(`large_${root}`)(Root)
      TableInheritance({ column: { type: 'varchar', name: 'kind' } })(Root)
      Resource(`things-${root}`)(Root)
      all.push(Root)
      for (let derived = 0; derived < 4; derived += 1) {
        const Derived = class extends Root {}
        Object.defineProperty(Derived, 'name', { value: `Derived${root}x${derived}` })
        ChildEntity(`d${derived}`)(Derived)
        Resource(`special-things-${root}-${derived}`)(Derived)
        all.push(Derived)
      }
    }
    return all
  }

  it('draws no line through a box and no text over another', async () => {
    const browser = await startBrowser()
    const api = await startApi(makeTypes(), { explorer: true })
    const page = await browser.open(`${api.url}/`, { viewport: { width: 1440, height: 900 } })
    const picture = pictureOn(page)
    await picture.getByRole('link').nth(59).waitFor()
    expect(await findOverlaps(picture)).toEqual([])
    await page.getByLabel('Fields', { exact: true }).check()
    await page.getByLabel('Names of relationships').check()
    await picture.locator('.hierarchy-label').first().waitFor()
    expect(await findOverlaps(picture)).toEqual([])
    expect(browser.takeErrors()).toEqual([])
    await browser.close()
    await api.close()
  })
})
