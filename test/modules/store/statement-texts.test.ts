import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestApi } from '../../support/api'
import { DATABASE, WRITES_AT_ONCE } from '../../support/database'
import { TABLES } from '../../support/lay-tables'
import type { TestServer } from '../../support/server'
import { startWithBlogs, startWithVehicles } from './support/many-rows'
import {
  CURSOR_PAGES,
  type Numbered,
  READS_OF_BLOGS,
  READS_OF_VEHICLES,
  WRITES_TO_BLOGS,
  WRITES_TO_VEHICLES,
} from './support/numbered-requests'

// The SQL of fifty requests, which is the same for one row and for a thousand: statement-texts/sqlite.sql and postgres.sql.
// UPDATE_TEXTS=1 npx jest test/modules/store/statement-texts writes the files; so does scripts/test-on.js postgres.

/** Other databases, drivers and tables check only the number of statements, and that it does not depend on the rows. */
const file = !WRITES_AT_ONCE || TABLES !== 'single' ? undefined : join(__dirname, 'statement-texts', `${DATABASE}.sql`)
const isUpdate = process.env.UPDATE_TEXTS !== undefined
const sections = file === undefined || !existsSync(file) ? [] : readFileSync(file, 'utf8').trimEnd().split('\n\n')
const found: string[] = []

const SUITES = [
  ['blogs', startWithBlogs, 1000, [...READS_OF_BLOGS, ...CURSOR_PAGES, ...WRITES_TO_BLOGS]],
  ['vehicles', startWithVehicles, 333, [...READS_OF_VEHICLES, ...WRITES_TO_VEHICLES]],
] as const

describe.each(SUITES)('%s', (_name, start, many, requests) => {
  let one: TestApi
  let thousand: TestApi
  beforeAll(async () => {
    one = await start(1)
    thousand = await start(many)
  }, 60_000)
  afterAll(() => Promise.all([one.close(), thousand.close()]))

  it.each(requests)('sends the same statements for one row and for many: %s', async (...request) => {
    const [name, count] = request
    const few = await statementsOf(one, request)
    expect(await statementsOf(thousand, request)).toEqual(few)
    const section = [`-- ${name}: ${few.length}`, ...few.map((text) => `${text};`)].join('\n')
    found.push(section)
    expect(few).toHaveLength(count)
    if (file !== undefined && !isUpdate) expect(sections.find((each) => requestOf(each) === name)).toBe(section)
  })
})

it('has no texts of other requests', () => {
  if (file === undefined) return
  if (isUpdate) writeFileSync(file, `${found.join('\n\n')}\n`)
  const requests = SUITES.flatMap(([, , , each]) => each.map(([name]) => name))
  const texts = isUpdate ? found : sections
  expect(texts.map(requestOf)).toEqual(requests)
})

function requestOf(section: string): string | undefined {
  return /^-- (.*): \d+$/m.exec(section)?.[1]
}

// The name of the database differs with each run.
async function statementsOf(rows: TestApi, [, , send]: Numbered): Promise<readonly string[]> {
  const statements = await rows.statementsOf(() => expectSuccess(rows, send))
  return statements.map((text) => text.replaceAll(/stemma_\w+/g, 'test').replaceAll(/\s+/g, ' '))
}

async function expectSuccess(server: TestServer, send: Numbered[2]): Promise<void> {
  const { status, text } = await send(server)
  expect({ status, text: status < 300 ? '' : text }).toEqual({ status: expect.any(Number), text: '' })
}
