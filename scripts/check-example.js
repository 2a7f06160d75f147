// Starts an example on a port that the system chooses, and reads a collection, which must have that many resources. Needs `npm run build:examples`:
// `node scripts/check-example.js humans humans 12`. A fourth argument is the body of `POST /tokens`, which returns a bearer token.
const { spawn } = require('node:child_process')
const { once } = require('node:events')
const { join } = require('node:path')
const { createInterface } = require('node:readline')
const { createLintingFetch } = require('stemma/testing')

const SECONDS = 20

async function main([name, collection, total, credentials]) {
  const example = spawn(process.execPath, [join(__dirname, '..', 'build', 'examples', name, 'main.js')], {
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(example, 'exit')
  const timer = setTimeout(() => example.kill('SIGKILL'), SECONDS * 1000)
  try {
    const address = await addressOf(example)
    const headers = credentials === undefined ? {} : await signIn(address, credentials)
    await check(address, collection, Number(total), headers)
  } finally {
    clearTimeout(timer)
    example.kill()
    await ended
  }
}

async function signIn(address, body) {
  const headers = { 'Content-Type': 'application/json' }
  const response = await fetch(`${address}/tokens`, { method: 'POST', headers, body })
  const { token } = await response.json()
  return { Authorization: `Bearer ${token}` }
}

async function check(address, collection, total, headers) {
  const response = await createLintingFetch(fetch)(`${address}/${collection}`, { headers })
  const document = await response.json()
  if (response.status !== 200)
    throw new Error(`GET /${collection} answered ${response.status}: ${JSON.stringify(document)}`)
  if (document.meta.total !== total)
    throw new Error(`GET /${collection}: expected ${total} in all, found ${document.meta.total}.`)
  console.log(`GET /${collection} answered 200 with ${document.data.length} of ${document.meta.total}`)
}

/** The example prints where it listens. */
async function addressOf({ stdout }) {
  for await (const line of createInterface({ input: stdout })) {
    console.log(line)
    const [address] = line.match(/http:\/\/\S+:\d+/) ?? []
    if (address !== undefined) return address
  }
  throw new Error(`The example ended, or did not print its address within ${SECONDS} seconds.`)
}

main(process.argv.slice(2)).catch((error) => {
  console.error(error.message)
  process.exit(1)
})
