// `npm run bench:options`: the CPU time of a request with an option or hook, compared with the request without it. With
// `BENCH_DATABASE=postgres` it measures elapsed time. `-- hook links` selects the cases whose names contain one of these texts.
const { round, toTable } = require('./measure/tables')
const { withBench, withCopy } = require('./micro/blogs')
const { CASES } = require('./micro/option-cases')
const { clockOf, timeEach } = require('./micro/time')

const milliseconds = Number(process.env.BENCH_MILLISECONDS ?? 100)
const database = process.env.BENCH_DATABASE ?? 'sqlite'
const clock = clockOf(database)
const nameParts = process.argv.slice(2)

async function main() {
  const rows = []
  await withCopy({ database, name: 'options' }, async (location) => {
    await withBench(location, { database }, async (plain) => {
      for (const [name, optionCase] of CASES)
        if (isSelected(name, optionCase)) rows.push([name, ...(await compare(location, plain, optionCase))])
    })
  })
  const unit = `microseconds${clock === 'cpu' ? ' of CPU' : ''}`
  console.log(toTable([database, `${unit} without`, 'with', 'times', 'times the bytes'], rows))
  console.log('\nMedians of requests without HTTP. Ratios under 1.1 are not significant.')
}

function isSelected(name, { on = [database] }) {
  return on.includes(database) && (nameParts.length === 0 || nameParts.some((part) => name.includes(part)))
}

function compare(location, plain, { url, baseUrl = url, ...benchOptions }) {
  return withBench(location, { database, ...benchOptions }, async (bench) => {
    const bytes = Buffer.byteLength(await bench.get(url)) / Buffer.byteLength(await plain.get(baseUrl))
    const tasks = { without: () => plain.get(baseUrl), with: () => bench.get(url) }
    const times = await timeEach(tasks, { milliseconds, clock, rounds: 9 })
    return [round(times.without), round(times.with), round(times.with / times.without), round(bytes)]
  })
}

main()
