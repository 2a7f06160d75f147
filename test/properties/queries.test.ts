import { runOracle } from '../../exams/oracle/run'
import { openExamined, SETTING } from './support/examined'
import { EFFORT, FEWEST, LIMIT, SEED, TIME_LIMIT } from './support/random'

// Whatever is asked, the answer is that of a plain walk over the rows in memory: exams/oracle, on the database and tables of this run. Each
// answer is held against JSON:API and the OpenAPI document besides.

const QUERIES = 500 * EFFORT

it(
  'answers random queries as the oracle expects',
  async () => {
    let end = Infinity
    const { cases, differences, kinds } = await runOracle({
      count: QUERIES,
      seed: SEED,
      print: () => undefined,
      databases: [SETTING.database],
      layouts: [SETTING.layout],
      shouldStop: () => performance.now() > end,
      async open(_setting, rows) {
        const api = await openExamined(rows)
        // There is one property in the place of many.
        end = performance.now() + 3 * LIMIT
        return {
          name: 'the API',
          close: api.close,
          async send({ url, headers = {} }) {
            const { status, text } = await api.get(url).set(headers)
            return { status, headers: [], body: text }
          },
        }
      },
    })
    expect(differences).toEqual([])
    expect(cases).toBeGreaterThan(QUERIES / FEWEST)
    expect([...kinds.keys()]).toEqual(
      expect.arrayContaining(['lists', 'empty lists', 'single', 'lists paginated by cursor']),
    )
  },
  2 * TIME_LIMIT,
)
