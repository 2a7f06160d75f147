import { exploreHumans } from './support/explore-humans'

const explorer = exploreHumans()

it('sends operations from forms and JSON, shows an error at the one that failed, and links to new resources', async () => {
  const { humans, visit } = explorer()
  const page = await visit('/')
  await page.getByRole('link', { name: 'Operations' }).click()
  await page.getByLabel('Resource of operation 1: type').selectOption('men')
  await page.getByLabel('Resource of operation 1: kind of id').selectOption('lid')
  await page.getByLabel('Resource of operation 1: id').fill('groom')
  await page.getByLabel('name', { exact: true }).fill('Kilian')
  await page.getByRole('button', { name: 'Add an operation' }).click()
  await page.getByRole('button', { name: 'Edit as JSON: operation 2' }).click()
  const attributes = { name: 'Lotte', maidenName: null }
  const relationships = { husband: { data: { type: 'men', lid: 'groom' } } }
  const add = JSON.stringify({ op: 'add', data: { type: 'women', attributes, relationships } })
  await page.getByLabel('JSON of operation 2').fill(add)
  await page.getByRole('button', { name: 'Send 2 operations' }).click()
  const [groom, bride] = [1, 2].map((number) => page.getByRole('listitem', { name: `Operation ${number}` }))
  await bride?.getByText(/A woman must have a maiden name/).waitFor()
  await groom?.getByText('Not performed: another operation failed.').waitFor()
  await page.getByRole('button', { name: 'Edit as a form: operation 2' }).click()
  await page.getByLabel('maidenName is null').uncheck()
  await page.getByLabel('maidenName', { exact: true }).fill('Hill')
  await page.getByRole('button', { name: 'Send 2 operations' }).click()
  const id = await bride?.getByRole('link', { name: /^women/ }).textContent()
  await groom?.getByRole('link', { name: /^men/ }).waitFor()
  expect((await humans.get(`/api/${id?.replace(' ', '/')}/husband`)).body.data.attributes.name).toBe('Kilian')
})
