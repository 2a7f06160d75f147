import { createApp } from '../../../examples/humans/app'
import { createDataSource } from '../../../examples/humans/data-source'
import { Human } from '../../../examples/humans/human'
import { Man } from '../../../examples/humans/man'
import { seed } from '../../../examples/humans/seed'
import { Woman } from '../../../examples/humans/woman'
import { setUp } from '../../support/api'
import { openDatabase } from '../../support/database'
import { seedFamily } from '../../support/family'
import { serve } from '../../support/server'
import { onLayouts } from '../../support/table-layout'

// That its rules hold: test/spec/hierarchical-resources/write-rules.

const database = setUp(() => openDatabase([Human, Man, Woman]))
const api = setUp(() => serve(createApp(database.dataSource)))
beforeAll(() => seedFamily(database))

// The example writes to a single table.
onLayouts(it, 'single')('seeds the family only once', async () => {
  await seed(database.dataSource)
  const { body } = await api.get('/humans')
  expect([body.meta.total, body.data.length]).toEqual([12, 10])
})

it.each([
  [undefined, 'better-sqlite3', ':memory:'],
  ['sqlite:family.sqlite', 'better-sqlite3', 'family.sqlite'],
  ['./family.sqlite', 'better-sqlite3', './family.sqlite'],
  ['C:\\family.sqlite', 'better-sqlite3', 'C:\\family.sqlite'],
  ['postgres://me@example.test/family', 'postgres', undefined],
  ['mysql://me@example.test/family', 'mysql', undefined],
  ['mariadb://me@example.test/family', 'mariadb', undefined],
])('reads DATABASE_URL %s as %s', (url, type, path) => {
  const { options } = createDataSource(url)
  expect([options.type, path && options.database]).toEqual([type, path])
})

it('refuses another DATABASE_URL', () => {
  expect(() => createDataSource('mongodb://localhost/family')).toThrow(
    'DATABASE_URL: expected postgres:, mysql:, mariadb:, sqlite: or the path of a file, found mongodb:',
  )
})
