// `npm run bench:growth`: how the CPU time of a request grows with rows, children, types, steps of an include and terms of a filter.
// With `BENCH_DATABASE=postgres` it measures elapsed time, and rows and children only, because the database is another process.
const { createPostgres, removePostgres } = require('./data/postgres')
const { countsAt } = require('./data/tables')
const { CURSOR_PAGES, readCursors } = require('./measure/cursors')
const { median, round, toTable } = require('./measure/tables')
const { withBlogs } = require('./micro/blogs')
const { declareFamilies, declareHierarchy, fillFamilies, fillHierarchy, IN_MEMORY } = require('./micro/synthetic')
const { clockOf, timeCall, timeEach } = require('./micro/time')
const { openWorkbench } = require('./micro/harness')
const { optionsOf } = require('./model/data-source')

const milliseconds = Number(process.env.BENCH_MILLISECONDS ?? 60)
const database = process.env.BENCH_DATABASE ?? 'sqlite'
const clock = clockOf(database)

async function main() {
  printGrowth('Rows: articles in the table', await growWithRows())
  printGrowth('Children of each of 20 parents, ten of each included', await growWithChildren())
  if (database !== 'sqlite') return
  printGrowth('Types derived from one base', await growWithTypes())
  printGrowth('Steps included, ten rows each', await growWithDepth())
  printGrowth('Terms of a filter', await growWithFilter())
}

/** `results`: `{ request: { size: microseconds } }` */
function printGrowth(title, results) {
  const sizes = Object.keys(Object.values(results)[0]).sort((left, right) => left - right)
  const [smallest] = sizes
  const largest = sizes.at(-1)
  const rows = Object.entries(results).map(([name, times]) => {
    return [name, ...sizes.map((size) => round(times[size])), `x ${round(times[largest] / times[smallest])}`]
  })
  console.log(`\n${toTable([title, ...sizes, `${round(largest / smallest)} times as many`], rows)}`)
}

/**
 * Measures the same requests at each size, and returns `{ request: { size: microseconds } }`. Measures the first size twice, so that the
 * code is compiled for it too.
 */
async function compareSizes(sizes, timesAt) {
  const results = {}
  for (const size of [sizes[0], ...sizes])
    for (const [name, time] of Object.entries(await timesAt(size))) results[name] = { ...results[name], [size]: time }
  return results
}

function timeRequests(bench, urls) {
  const tasks = Object.entries(urls).map(([name, url]) => [name, () => bench.get(url)])
  return timeEach(Object.fromEntries(tasks), { milliseconds, clock })
}

async function growWithRows() {
  const scales = { 1000: 0.01, 10000: 0.1, 100000: 1 }
  return compareSizes(Object.keys(scales), (size) =>
    withBlogs({ database, scale: scales[size] }, async (bench) => {
      const middle = countsAt(scales[size]).articles / 2
      const cursorTo = readCursors(await bench.get('/articles?page[size]=1', CURSOR_PAGES))
      return timeRequests(bench, {
        'one article': `/articles/${middle}`,
        'the first page of 10': '/articles?page[size]=10',
        'a page of 10 in the middle': `/articles?page[size]=10&page[number]=${middle / 10}`,
        'a page of 10 at a cursor, the first rows': `/articles?page[size]=10&page[after]=${cursorTo(1)}`,
        'a page of 10 at a cursor, in the middle': `/articles?page[size]=10&page[after]=${cursorTo(middle)}`,
        'the comments of an article': `/articles/${middle}/comments?page[size]=10`,
        'filtered by an index': "/women?filter=equals(maidenName,'Surname007')&page[size]=10",
      })
    }),
  )
}

async function growWithChildren() {
  const page = (name, sort = '') =>
    `/parents?page[size]=20,${name}:10&include=${name}${sort && `&sort[${name}]=${sort}`}`
  return compareSizes([10, 100, 1000, 10_000], (children) =>
    withFamilies({ parents: 20, children }, (bench) =>
      timeRequests(bench, {
        'the parents alone': '/parents?page[size]=20',
        'by their ids': page('children'),
        'the newest': page('children', '-id'),
        'by their names, without an index': page('children', 'name'),
        'through a junction table, by their ids': page('guests'),
        'through a junction table, the newest': page('guests', '-id'),
        'through a junction table, by their names': page('guests', 'name'),
        'of a derived type, by their ids': page('daughters'),
        'of a derived type, by their names': page('daughters', 'name'),
        'of a derived type, through a junction table': page('pupils'),
      }),
    ),
  )
}

async function withFamilies(counts, measure) {
  const entities = declareFamilies()
  const url = database === 'sqlite' ? undefined : await createPostgres('families')
  const connection = url === undefined ? IN_MEMORY : { ...optionsOf(url), synchronize: true }
  const bench = await openWorkbench({ database: connection, entities, resources: entities })
  try {
    await fillFamilies(bench.dataSource, counts)
    return await measure(bench)
  } finally {
    await bench.close()
    if (url !== undefined) await removePostgres(url)
  }
}

async function growWithTypes() {
  return compareSizes([10, 100, 200], async (count) => {
    const entities = declareHierarchy(count)
    const bench = await openWorkbench({ database: IN_MEMORY, entities, resources: entities })
    await fillHierarchy(bench.dataSource, count)
    try {
      const first = await timeCall(() => bench.get('/things?page[size]=10'))
      const newQueries = await timeNewQueries(bench)
      const times = await timeRequests(bench, {
        'one of a derived type': '/kinds7/7',
        'one of the base': '/things/7',
        'page of 10 of a derived type': '/kinds7?page[size]=10',
        'page of 10 of the base': '/things?page[size]=10',
        'page of 10 of the base with an include': '/things?page[size]=10&include=owner',
      })
      return { ...times, ...newQueries, 'the first request after start-up': first, createJsonApi: bench.startUp }
    } finally {
      await bench.close()
    }
  })
}

/** Times queries that the statement cache does not contain. Each filters by another attribute, and is sent three times. */
async function timeNewQueries(bench) {
  const times = [[], [], []]
  for (let number = 0; number < 10; number++)
    for (const durations of times) {
      const url = `/things?page[size]=10&filter=isType(,kinds${number},equals(own${number},null))`
      durations.push(await timeCall(() => bench.get(url)))
    }
  const [first, , third] = times.map(median)
  return { 'a new query of the base, page of 10': first, 'the same query, third time': third }
}

async function growWithDepth() {
  const steps = ['articles', 'comments', 'author', 'articles']
  return withBlogs({ scale: 0.1 }, (bench) =>
    compareSizes([1, 2, 3, 4], async (depth) => {
      const paths = steps.slice(0, depth).map((_, last) => steps.slice(0, last + 1).join('.'))
      const pages = paths.filter((path) => !path.endsWith('author')).map((path) => `,${path}:10`)
      const url = `/authors?page[size]=10${pages.join('')}&include=${paths.at(-1)}`
      const { data, included } = JSON.parse(await bench.get(url))
      const { total } = await timeRequests(bench, { total: url })
      return {
        'page of 10 authors': total,
        'for each resource of the document': total / (data.length + included.length),
      }
    }),
  )
}

async function growWithFilter() {
  const terms = (count, term) => Array.from({ length: count }, (_, number) => term(number)).join(',')
  const joined = (name, count, term) => (count === 1 ? term(0) : `${name}(${terms(count, term)})`)
  return withBlogs({ scale: 0.1 }, (bench) =>
    compareSizes([1, 10, 100], (count) =>
      timeRequests(bench, {
        'ids in any()': `/articles?page[size]=1&filter=any(id,${terms(count, (number) => `'${number + 1}'`)})`,
        'terms of or()': `/articles?page[size]=1&filter=${joined('or', count, (number) => `equals(id,'${number + 1}')`)}`,
        'terms of and()': `/articles?page[size]=1&filter=${joined('and', count, (number) => `not(equals(title,'${number}'))`)}`,
      }),
    ),
  )
}

main()
