// `npm run bench:options`: what an option or a hook costs, beside the same request without it. With `BENCH_DATABASE=postgres` in time that
// passes, in place of CPU of this process; `-- hook links` for those alone that have one of these words in their names.
const { round, toTable } = require('./measure/tables')
const { withBench, withCopy } = require('./micro/blogs')
const { CASES } = require('./micro/option-cases')
const { clockOf, timeEach } = require('./micro/time')

const milliseconds = Number(process.env.BENCH_MILLISECONDS ?? 100)
const database = process.env.BENCH_DATABASE ?? 'sqlite'
const clock = clockOf(database)
const words = process.argv.slice(2)

async function main() {
  const rows = []
  await withCopy({ database, name: 'options' }, async (place) => {
    await withBench(place, { database }, async (plain) => {
      for (const [name, asked] of CASES)
        if (isWanted(name, asked)) rows.push([name, ...(await compare(place, plain, asked))])
    })
  })
  const unit = `microseconds${clock === 'cpu' ? ' of CPU' : ''}`
  console.log(toTable([database, `${unit} without`, 'with', 'times', 'times the bytes'], rows))
  console.log(
    '\nFrom what was received to what is sent, without HTTP; medians in turns. Ratios under 1.1 mean nothing.',
  )
}

function isWanted(name, { on = [database] }) {
  return on.includes(database) && (words.length === 0 || words.some((word) => name.includes(word)))
}

/** `url` is asked of both, or `beside` of the one without. */
function compare(place, plain, { url, beside = url, ...changed }) {
  return withBench(place, { database, ...changed }, async (bench) => {
    const bytes = Buffer.byteLength(await bench.ask(url)) / Buffer.byteLength(await plain.ask(beside))
    const works = { without: () => plain.ask(beside), with: () => bench.ask(url) }
    const times = await timeEach(works, { milliseconds, clock, rounds: 9 })
    return [round(times.without), round(times.with), round(times.with / times.without), round(bytes)]
  })
}

main()
