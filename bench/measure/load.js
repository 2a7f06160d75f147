// A minimal HTTP/1.1 client with persistent connections. The client of Node.js takes more CPU time than some of the servers.
const { connect } = require('node:net')
const { UNIQUE } = require('../workloads')

const CONNECTIONS = 10
/** Statuses whose responses have no body, whatever their header fields say. */
const WITHOUT_BODY = [204, 304]
const HEAD_END = Buffer.from('\r\n\r\n')
const LAST_CHUNK = Buffer.from('0\r\n\r\n')

let nextUnique = 10_000_000

/**
 * Sends requests in their order, again and again, over ten connections for `seconds`, or until `count` responses have come. Continues where the
 * last load of the same array has ended, because a write may have an effect only once. Returns the numbers `answered` and `failed`, the elapsed
 * `seconds`, and all response `times`.
 */
exports.load = async ({ port }, requests, { seconds, count = Infinity }) => {
  const takeText = queueOf(requests)
  const times = []
  const progress = { sent: 0, answered: 0, failed: 0 }
  const begin = performance.now()
  const end = begin + seconds * 1000
  await Promise.all(
    Array.from({ length: CONNECTIONS }, () => sendUntilEnd(port, { takeText, progress, times, end, count })),
  )
  const { answered, failed } = progress
  return { answered, failed, seconds: (performance.now() - begin) / 1000, times }
}

const queues = new WeakMap()

function queueOf(requests) {
  if (!queues.has(requests)) {
    const texts = requests.map(toText)
    let position = 0
    queues.set(requests, () => texts[position++ % texts.length])
  }
  return queues.get(requests)
}

exports.percentile = (values, fraction) => {
  const sorted = [...values].sort((left, right) => left - right)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? Number.NaN
}

/** Splits head and body, because requests may share a body. */
function toText({ method, url, headers, body }) {
  const all = { host: '127.0.0.1', ...headers, ...(body !== '' && { 'content-length': lengthOf(body) }) }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return { head: [`${method} ${url} HTTP/1.1`, ...lines, '', ''].join('\r\n'), body }
}

/** Counts eight digits for the placeholder. */
function lengthOf(body) {
  return Buffer.byteLength(body.replaceAll(UNIQUE, '12345678'))
}

function sendUntilEnd(port, { takeText, progress, times, end, count }) {
  const socket = connect(port, '127.0.0.1').setNoDelay(true)
  return new Promise((resolve, reject) => {
    let begin = 0
    const sendNext = () => {
      begin = performance.now()
      if (begin >= end || progress.sent >= count) {
        socket.destroy()
        resolve()
        return
      }
      progress.sent++
      const { head, body } = takeText()
      socket.write(head + (body.includes(UNIQUE) ? body.replaceAll(UNIQUE, String(nextUnique++)) : body))
    }
    const readPart = createReader((status) => {
      times.push(performance.now() - begin)
      progress.answered++
      if (status >= 400) progress.failed++
      sendNext()
    })
    socket.on('connect', sendNext)
    socket.on('data', readPart)
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('The server closed the connection.')))
  })
}

/** Returns a function that reads parts of the stream, and calls `onResponse` with the status at the end of each response. */
function createReader(onResponse) {
  let head = Buffer.alloc(0)
  let status = 0
  /** Number of missing bytes, `undefined` before the end of the head, or `chunked` if the length is not known. */
  let missing
  return (part) => {
    let rest = part
    if (missing === undefined) {
      head = head.length === 0 ? part : Buffer.concat([head, part])
      const headEnd = head.indexOf(HEAD_END)
      if (headEnd < 0) return
      const text = head.toString('latin1', 0, headEnd)
      status = Number(text.slice(9, 12))
      rest = head.subarray(headEnd + HEAD_END.length)
      const length = /\r\ncontent-length: *(\d+)/i.exec(text)
      missing = WITHOUT_BODY.includes(status) ? 0 : length === null ? 'chunked' : Number(length[1])
      head = Buffer.alloc(0)
    }
    if (missing === 'chunked') {
      head = Buffer.concat([head, rest]).subarray(-LAST_CHUNK.length)
      if (!head.equals(LAST_CHUNK)) return
    } else {
      missing -= rest.length
      if (missing > 0) return
    }
    head = Buffer.alloc(0)
    missing = undefined
    onResponse(status)
  }
}
