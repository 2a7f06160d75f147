// `npm run measure-costs -- postgres 100000 10`: counts the rows that a database (sqlite, postgres, mariadb) reads for each part of a query that
// `limits.cost` counts. The arguments are the rows of each table and the related rows of each row. Milliseconds depend on the machine.
const { DATABASES, environmentOf } = require('./databases')

const [name = 'sqlite', rows = 100_000, group = 10, only = ''] = process.argv.slice(2)
Object.assign(process.env, environmentOf(DATABASES[name]))
require('../test/support/run-typescript')
const { startBlogs, BLOGS } = require('../test/support/blogs.ts')
const { startServerOn } = require('../test/support/api.ts')

const MAX_SECONDS = 60
const anyOf = Array.from({ length: 490 }, (_, index) => `'x${index}'`).join()

/** The filters match nothing, so that the database reads all rows. */
const PARTS = [
  ['comparison', "/articles?filter=equals(title,'x')"],
  ['any of 490', `/articles?filter=any(title,${anyOf})`],
  ['contains', "/articles?filter=contains(subtitle,'x')"],
  ['step to one', "/articles?filter=equals(blog.title,'x')"],
  ['three steps', "/comments?filter=equals(parent.article.blog.title,'x')"],
  ['has', "/articles?filter=has(comments,equals(body,'x'))"],
  ['count', "/articles?filter=equals(count(comments),'99999')"],
  ['has, pairs', "/articles?filter=has(tags,equals(rank,'-1'))"],
  ['nested has', "/blogs?filter=has(articles,has(comments,contains(body,'qq')))"],
  ['siblings', "/articles?filter=has(blog.articles,equals(title,'x'))"],
  ['counted siblings', "/comments?filter=equals(count(article.comments),'99999')"],
  ['count in has', "/articles?filter=has(comments,equals(count(article.comments),'99999'))"],
  ['two to one', "/comments?filter=has(article.blog.articles,equals(title,'x'))"],
  ['nested siblings', "/articles?filter=has(blog.articles,has(comments,equals(body,'x')))"],
  ['pairs and back', "/articles?filter=has(tags,has(articles,equals(title,'x')))"],
  ['sort key', '/articles?sort=subtitle'],
  ['sort by count', '/articles?sort=count(comments)'],
]

/** Within `or`, a database cannot start with the related rows, none of which matches. */
const ALL = PARTS.flatMap(([part, path]) => {
  const [, type, has] = /^.(\w+).filter=(has.+)$/.exec(path) ?? []
  return [[part, path], ...(has === undefined ? [] : [[`or ${part}`, `/${type}?filter=or(equals(id,'-1'),${has})`]])]
})

async function main() {
  const api = await startBlogs({ totals: false })
  const { dataSource } = api
  const rejecting = await startServerOn(api, { resources: BLOGS, totals: false, limits: { cost: 1 } })
  const parts = []
  for (const [part, path] of ALL.filter((each) => each[0].includes(only))) {
    const { cost } = (await rejecting.get(path)).body.errors[0].meta
    parts.push({ part, cost, statements: await statementsOf(dataSource, () => api.get(path)) })
  }
  const runner = dataSource.createQueryRunner()
  await fill(runner)
  await LIMIT_TIME[name]?.(runner)
  console.log(`${name}, ${rows} rows, groups of ${group}: cost, rows read, milliseconds`)
  for (const { part, cost, statements } of parts) {
    const measured = { rows: 0, ms: 0 }
    for (const statement of statements)
      for (const [key, value] of Object.entries(await MEASURE[name](runner, ...statement))) measured[key] += value
    console.log(part.padEnd(18) + [cost, measured.rows, measured.ms.toFixed(1)].map(column).join(''))
  }
  await runner.release()
  await rejecting.close()
  await api.close()
}

const column = (value) => String(value).padStart(12)

/** The statements of a request with their parameters, read while the tables are empty. A request's statements do not depend on the rows. */
async function statementsOf(dataSource, work) {
  const { logger } = dataSource
  const statements = []
  dataSource.logger = { logQuery: (text, parameters) => statements.push([text, parameters]) }
  await work()
  dataSource.logger = logger
  return statements.filter(([text]) => /^select (?!1 from (?:sqlite_master|pg_class) )/i.test(text))
}

const NUMBERS = {
  sqlite: `(with recursive n(i) as (select 1 union all select i + 1 from n where i < ${rows}) select i from n) n`,
  postgres: `generate_series(1::bigint, ${rows}) n(i)`,
  mariadb: `(select seq as i from seq_1_to_${rows}) n`,
}

/** Like expensive-requests-of-blogs.js, with groups of any size. */
async function fill(runner) {
  const tableOf = (type) =>
    runner.connection
      .getMetadata(type)
      .tablePath.split('.')
      .map((each) => `"${each}"`)
      .join('.')
  const [blog, article, comment, revision, tag] = BLOGS.map(tableOf)
  const pairs = tableOf('article_tags_tag')
  const groups = Math.ceil(rows / group)
  const statements = [
    `insert into ${blog} (id, title) select i, concat('blog ', i * 7919 % ${rows}) from ${NUMBERS[name]}`,
    `insert into ${article} (id, title, subtitle, views, likes, price, status, "publishedAt", "blogId") select i, concat('article ', i * 7919 % ${rows}),
      concat('A subtitle of some forty characters ', i), i * 31 % 1000, i % 7, 1.5, 'draft', '2024-02-29 12:30:00.000', 1 + i * 13 % ${groups} from ${NUMBERS[name]}`,
    `insert into ${comment} (id, body, "articleId", "parentId") select i, concat('A comment of a length that people write, which is one sentence: ', i),
      1 + i * 17 % ${groups}, case when i > ${groups} then 1 + i * 7 % ${groups} end from ${NUMBERS[name]}`,
    `insert into ${tag} (id, "rank") select concat('tag', i), i % 100 from ${NUMBERS[name]}`,
    `insert into ${pairs} ("articleId", "tagId") select 1 + i * 23 % ${rows}, concat('tag', 1 + i * 29 % ${groups}) from ${NUMBERS[name]}`,
    `create index article_blog on ${article} ("blogId")`,
    ...[blog, article, comment, revision, tag, pairs].map((table) =>
      name === 'mariadb' ? `analyze table ${table}` : `analyze ${table}`,
    ),
  ]
  for (const each of statements) await runner.query(name === 'mariadb' ? each.replaceAll('"', '`') : each)
}

const LIMIT_TIME = {
  postgres: (runner) => runner.query(`set statement_timeout = '${MAX_SECONDS}s'`),
  mariadb: (runner) => runner.query(`set max_statement_time = ${MAX_SECONDS}`),
}

const MEASURE = {
  /** The driver reports neither rows nor steps, so this measures CPU time only. */
  async sqlite(runner, text, parameters) {
    const before = process.cpuUsage()
    await runner.query(text, parameters)
    const { user, system } = process.cpuUsage(before)
    return { rows: NaN, ms: (user + system) / 1000 }
  },
  async postgres(runner, text, parameters) {
    const failed = (error) => (error.code === '57014' ? undefined : Promise.reject(error))
    const found = await runner.query(`explain (analyze, format json) ${text}`, parameters).catch(failed)
    if (found === undefined) return { rows: NaN, ms: Infinity }
    const [explained] = found[0]['QUERY PLAN']
    return { rows: readBy(explained.Plan), ms: explained['Execution Time'] }
  },
  async mariadb(runner, text, parameters) {
    await runner.query('flush status')
    const start = performance.now()
    const failed = (error) => (error.errno === 1969 ? Infinity : Promise.reject(error))
    const ended = await runner.query(text, parameters).then(() => 0, failed)
    const ms = performance.now() - start + ended
    const counters = await runner.query("show session status where variable_name like 'Handler_read%'")
    return { rows: counters.reduce((sum, { Value: value }) => sum + Number(value), 0), ms }
  },
}

/** Rows that scans have read, and rows that a join buffer has read again. */
function readBy(node) {
  const within = (node.Plans ?? []).reduce((sum, each) => sum + readBy(each), 0)
  if (!/Scan$|^Materialize$/.test(node['Node Type']) || node['Node Type'] === 'Subquery Scan') return within
  const each =
    node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  return within + each * node['Actual Loops']
}

main()
