import { runWorlds } from '../../exams/worlds/run'
import { CONFIGURATION } from './support/examined'
import { EFFORT, SEED, TIME_LIMIT } from './support/random'

// Runs exams/worlds on the database and table layout of this run: databases that differ only in hidden rows and fields send the same responses.

const PAIRS = 400 * EFFORT

it(
  'sends the same responses to reads and writes, with other hidden rows and fields',
  async () => {
    const { cases, differences, kinds } = await runWorlds({
      count: PAIRS,
      seed: SEED,
      print: () => undefined,
      databases: [CONFIGURATION.database],
      layouts: [CONFIGURATION.layout],
    })
    expect([cases, differences]).toEqual([PAIRS, []])
    expect([...kinds.keys()]).toEqual(expect.arrayContaining(['hidden names', 'next page']))
  },
  2 * TIME_LIMIT,
)
