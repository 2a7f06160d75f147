import type { Page } from 'playwright-core'
import { exploreHumans } from './support/explore-humans'

const explorer = exploreHumans()

const operationOn = (page: Page, number: number) => page.getByRole('listitem', { name: `Operation ${number}` })

/** Fills in a couple: a new man, a new woman whose husband he is, and the relationship from him to her. */
async function composeCouple(page: Page, maidenName: string): Promise<void> {
  const add = page.getByRole('button', { name: 'Add an operation' })
  const [groom, bride, wife] = [1, 2, 3].map((number) => operationOn(page, number))
  if (groom === undefined || bride === undefined || wife === undefined) throw new Error('three operations')
  await groom.getByLabel('Resource of operation 1: type').selectOption('men')
  await groom.getByLabel('Resource of operation 1: kind of id').selectOption('lid')
  await groom.getByLabel('Resource of operation 1: id').fill('groom')
  await groom.getByLabel('name', { exact: true }).fill('Kilian')
  await add.click()
  await bride.getByRole('button', { name: 'Edit operation 2 as JSON' }).click()
  const data = { type: 'women', lid: 'bride', attributes: { name: 'Lotte', maidenName } }
  const husband = { husband: { data: { type: 'men', lid: 'groom' } } }
  await bride
    .getByLabel('JSON of operation 2')
    .fill(JSON.stringify({ op: 'add', data: { ...data, relationships: husband } }))
  await bride.getByRole('button', { name: 'Edit operation 2 as a form' }).click()
  expect(await bride.getByLabel('maidenName', { exact: true }).inputValue()).toBe(maidenName)
  await add.click()
  await wife.getByLabel('Operation', { exact: true }).selectOption('Set a relationship')
  await wife.getByLabel('Resource of operation 3: type').selectOption('men')
  await wife.getByLabel('Resource of operation 3: kind of id').selectOption('lid')
  await wife.getByLabel('Resource of operation 3: id').fill('groom')
  await wife.getByLabel('Relationship', { exact: true }).selectOption('wife')
  await wife.getByRole('button', { name: 'Add a member to wife' }).click()
  await wife.getByLabel('wife: kind of id').selectOption('lid')
  await wife.getByLabel('wife: id').fill('bride')
}

it('sends operations with local ids from forms and JSON, and shows their results', async () => {
  const { humans, visit } = explorer()
  const page = await visit('/')
  await page.getByRole('link', { name: 'Operations' }).click()
  await composeCouple(page, 'Hill')
  await page.getByText('Copy the request as code').click()
  await page.getByRole('radio', { name: 'Typed client' }).check()
  expect(await page.locator('.copy pre').textContent()).toContain(
    "  const groom = operations.create('men', { attributes: { name: 'Kilian' } })\n",
  )
  expect(await page.locator('.copy pre').textContent()).toContain("  operations.setLinkage(groom, 'wife', bride)\n")
  await page.getByRole('button', { name: 'Send 3 operations' }).click()
  await operationOn(page, 1).getByRole('link', { name: 'men 1' }).waitFor()
  await operationOn(page, 3).getByText('Done.').waitFor()
  expect((await humans.get('/api/men/1/wife')).body.data.attributes.name).toBe('Lotte')
})

it('shows an error at the operation that failed', async () => {
  const { humans, visit } = explorer()
  const page = await visit('/operations')
  await composeCouple(page, '')
  await operationOn(page, 2).getByLabel('maidenName is null').check()
  await page.getByRole('button', { name: 'Send 3 operations' }).click()
  await operationOn(page, 2)
    .getByText(/A woman must have a maiden name/)
    .waitFor()
  await operationOn(page, 1).getByText('Not performed: another operation failed.').waitFor()
  expect((await humans.get('/api/humans')).body.data).toEqual([])
  await operationOn(page, 1).getByRole('button', { name: 'Edit operation 1 as JSON' }).click()
  await page.getByLabel('JSON of operation 1').fill('{')
  await page.getByRole('button', { name: 'Send 3 operations' }).click()
  await operationOn(page, 1)
    .getByText(/This is not JSON/)
    .waitFor()
})
