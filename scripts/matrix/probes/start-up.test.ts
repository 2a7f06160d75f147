import { startBlogs } from '../../../test/support/blogs'
import { startHumans } from '../../../test/support/humans'

// Opens the API over a hierarchy and over plain tables, and does nothing with it. Every test file runs this code before its first request.

it.each([
  ['humans', startHumans],
  ['blogs', startBlogs],
])('starts and closes the API of %s', async (_name, start) => {
  const api = await start()
  expect(api.url).toMatch(/^http:/)
  await api.close()
})
