// Reads where an example says that it listens, and asks it for a collection, which has so many resources. Needs a build:
// `node scripts/check-example.js LOG humans 12`.
const { readFileSync } = require('node:fs')
const { setTimeout: wait } = require('node:timers/promises')
const { lintedFetch } = require('stemma/testing')

const [log, collection, total] = process.argv.slice(2)
const SECONDS = 20

async function main() {
  const response = await lintedFetch(fetch)(`${await address()}/${collection}`)
  const document = await response.json()
  if (response.status !== 200)
    throw new Error(`GET /${collection} answered ${response.status}: ${JSON.stringify(document)}`)
  if (document.meta.total !== Number(total))
    throw new Error(`GET /${collection}: expected ${total} in all, found ${document.meta.total}.`)
  console.log(`GET /${collection} answered 200 with ${document.data.length} of ${document.meta.total}`)
}

async function address() {
  for (let tries = 0; tries < SECONDS * 10; tries++) {
    const found = readFileSync(log, 'utf8').match(/http:\/\/\S+:\d+/)
    if (found) return found[0]
    await wait(100)
  }
  throw new Error(`The example did not say where it listens within ${SECONDS} seconds.`)
}

main().catch((error) => {
  console.error(error.message)
  process.exit(1)
})
