// `npm run bench:growth`: how the cost of a request grows with what is stored, declared and asked for, in microseconds of CPU.
const { buildSqlite, copySqlite, removeSqlite } = require('./data/sqlite')
const { countsAt } = require('./data/tables')
const { round, toTable } = require('./measure/tables')
const { declareFamilies, declareHierarchy, fillFamilies, fillHierarchy, IN_MEMORY } = require('./micro/synthetic')
const { timeEach } = require('./micro/time')
const { openWorkbench } = require('./micro/workbench')
const { createEntities } = require('./model/entities')
const { optionsOf } = require('./model/data-source')
const { declareResources } = require('./model/resources')
const { library } = require('./packages')

const milliseconds = Number(process.env.BENCH_MILLISECONDS ?? 60)

async function main() {
  await printGrowth('Rows: articles in the table', await growWithRows())
  await printGrowth('Children of each of 20 parents, ten of each included', await growWithChildren())
  await printGrowth('Types derived from one base', await growWithTypes())
  await printGrowth('Steps included, ten rows each', await growWithDepth())
  await printGrowth('Terms of a filter', await growWithFilter())
}

/** `{ request: { size: microseconds } }` */
function printGrowth(title, found) {
  const sizes = Object.keys(Object.values(found)[0]).sort((left, right) => left - right)
  const [least] = sizes
  const most = sizes.at(-1)
  const rows = Object.entries(found).map(([name, times]) => {
    return [name, ...sizes.map((size) => round(times[size])), `x ${round(times[most] / times[least])}`]
  })
  console.log(`\n${toTable([title, ...sizes, `${round(most / least)} times as many`], rows)}`)
}

/** Of each size the same requests: `{ request: { size: microseconds } }`. The first size comes twice, so that it finds compiled code too. */
async function compareSizes(sizes, timesAt) {
  const found = {}
  for (const size of [sizes[0], ...sizes])
    for (const [name, time] of Object.entries(await timesAt(size))) found[name] = { ...found[name], [size]: time }
  return found
}

function timeRequests(bench, urls) {
  const works = Object.entries(urls).map(([name, url]) => [name, () => bench.ask(url)])
  return timeEach(Object.fromEntries(works), { milliseconds })
}

async function withBlogs(scale, work) {
  const file = copySqlite(buildSqlite(scale), 'growth')
  const entities = createEntities(library('typeorm'), { database: 'sqlite' })
  const resources = declareResources(entities)
  const bench = await openWorkbench({ database: optionsOf(file), entities: Object.values(entities), resources })
  try {
    return await work(bench)
  } finally {
    await bench.close()
    removeSqlite(file)
  }
}

async function growWithRows() {
  const scales = { 1000: 0.01, 10000: 0.1, 100000: 1 }
  return compareSizes(Object.keys(scales), (size) =>
    withBlogs(scales[size], (bench) => {
      const middle = countsAt(scales[size]).articles / 2
      return timeRequests(bench, {
        'one article': `/articles/${middle}`,
        'the first page of 10': '/articles?page[size]=10',
        'a page of 10 in the middle': `/articles?page[size]=10&page[number]=${middle / 10}`,
        'the comments of an article': `/articles/${middle}/comments?page[size]=10`,
        'filtered by an index': "/women?filter=equals(maidenName,'Surname007')&page[size]=10",
      })
    }),
  )
}

async function growWithChildren() {
  return compareSizes([10, 100, 1000, 10_000], (children) =>
    withFamilies({ parents: 20, children }, (bench) =>
      timeRequests(bench, {
        'the parents alone': '/parents?page[size]=20',
        'by their ids': '/parents?page[size]=20,children:10&include=children',
        'the newest': '/parents?page[size]=20,children:10&include=children&sort[children]=-id',
        'by their names, without an index': '/parents?page[size]=20,children:10&include=children&sort[children]=name',
      }),
    ),
  )
}

async function withFamilies(counts, work) {
  const entities = declareFamilies()
  const bench = await openWorkbench({ database: IN_MEMORY, entities, resources: entities })
  await fillFamilies(bench.dataSource, counts)
  try {
    return await work(bench)
  } finally {
    await bench.close()
  }
}

async function growWithTypes() {
  return compareSizes([10, 100], async (count) => {
    const entities = declareHierarchy(count)
    const bench = await openWorkbench({ database: IN_MEMORY, entities, resources: entities })
    await fillHierarchy(bench.dataSource, count)
    try {
      const times = await timeRequests(bench, {
        'one of a derived type': '/kinds7/7',
        'one of the base': '/things/7',
        'page of 10 of a derived type': '/kinds7?page[size]=10',
        'page of 10 of the base': '/things?page[size]=10',
        'the same with what is included': '/things?page[size]=10&include=owner',
      })
      return { ...times, createJsonApi: bench.startUp }
    } finally {
      await bench.close()
    }
  })
}

async function growWithDepth() {
  const steps = ['articles', 'comments', 'author', 'articles']
  return withBlogs(0.1, (bench) =>
    compareSizes([1, 2, 3, 4], async (depth) => {
      const paths = steps.slice(0, depth).map((_, last) => steps.slice(0, last + 1).join('.'))
      const pages = paths.filter((path) => !path.endsWith('author')).map((path) => `,${path}:10`)
      const url = `/authors?page[size]=10${pages.join('')}&include=${paths.at(-1)}`
      const { data, included } = JSON.parse(await bench.ask(url))
      const { whole } = await timeRequests(bench, { whole: url })
      return {
        'page of 10 authors': whole,
        'for each resource of the document': whole / (data.length + included.length),
      }
    }),
  )
}

async function growWithFilter() {
  const terms = (count, term) => Array.from({ length: count }, (_, number) => term(number)).join(',')
  const joined = (name, count, term) => (count === 1 ? term(0) : `${name}(${terms(count, term)})`)
  return withBlogs(0.1, (bench) =>
    compareSizes([1, 10, 100], (count) =>
      timeRequests(bench, {
        'any of so many ids': `/articles?page[size]=1&filter=any(id,${terms(count, (number) => `'${number + 1}'`)})`,
        'so many joined with or': `/articles?page[size]=1&filter=${joined('or', count, (number) => `equals(id,'${number + 1}')`)}`,
        'so many joined with and': `/articles?page[size]=1&filter=${joined('and', count, (number) => `not(equals(title,'${number}'))`)}`,
      }),
    ),
  )
}

main()
