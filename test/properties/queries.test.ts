import { runOracle } from '../../exams/oracle/run'
import { CONFIGURATION, startModelApi } from './support/examined'
import { EFFORT, LIMIT, MIN_RUNS_DIVISOR, SEED, TIME_LIMIT } from './support/random'

// Runs exams/oracle on the database and table layout of this run: responses must be the same as those of an evaluation in memory. Also checks
// each response against JSON:API and the OpenAPI document.

const QUERIES = 500 * EFFORT

it(
  'responds to random queries as the oracle expects',
  async () => {
    let end = Infinity
    const { cases, differences, kinds } = await runOracle({
      count: QUERIES,
      seed: SEED,
      print: () => undefined,
      databases: [CONFIGURATION.database],
      layouts: [CONFIGURATION.layout],
      shouldStop: () => performance.now() > end,
      async open(_setting, rows) {
        const api = await startModelApi(rows)
        // This property replaces several ones, so it gets more time.
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
    expect(cases).toBeGreaterThan(QUERIES / MIN_RUNS_DIVISOR)
    expect([...kinds.keys()]).toEqual(
      expect.arrayContaining(['lists', 'empty lists', 'single', 'lists paginated by cursor']),
    )
  },
  2 * TIME_LIMIT,
)
