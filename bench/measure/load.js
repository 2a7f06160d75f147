// As much HTTP/1.1 as these servers speak, over sockets that are kept: a client of Node.js itself takes more time than some of the servers.
const { connect } = require('node:net')
const { UNIQUE } = require('../workloads')

const CONNECTIONS = 10
const HEAD_END = Buffer.from('\r\n\r\n')
const CHUNKS_END = Buffer.from('0\r\n\r\n')

let unique = 10_000_000

/** Asks for some time, ten at once. Gives how many were `answered` in how many `seconds`, how many `failed`, and all `times`. */
exports.load = async ({ port }, requests, { seconds, first = 0 }) => {
  const times = []
  const counted = { next: first, answered: 0, failed: 0 }
  const begin = performance.now()
  const end = begin + seconds * 1000
  const texts = requests.map(toText)
  await Promise.all(Array.from({ length: CONNECTIONS }, () => keepAsking(port, { texts, counted, times, end })))
  return { ...counted, seconds: (performance.now() - begin) / 1000, times }
}

exports.percentile = (values, part) => {
  const sorted = [...values].sort((left, right) => left - right)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

function toText({ method, url, headers, body }) {
  const all = { host: '127.0.0.1', ...headers, ...(body !== '' && { 'content-length': lengthOf(body) }) }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return [`${method} ${url} HTTP/1.1`, ...lines, '', body].join('\r\n')
}

/** With eight digits in the place of the word. */
function lengthOf(body) {
  return Buffer.byteLength(body.replaceAll(UNIQUE, '12345678'))
}

function keepAsking(port, { texts, counted, times, end }) {
  const socket = connect(port, '127.0.0.1').setNoDelay(true)
  return new Promise((resolve, reject) => {
    let begin = 0
    const ask = () => {
      begin = performance.now()
      if (begin >= end) {
        socket.destroy()
        resolve()
        return
      }
      const text = texts[counted.next++ % texts.length]
      socket.write(text.includes(UNIQUE) ? text.replaceAll(UNIQUE, String(unique++)) : text)
    }
    const readPart = createReader((status) => {
      times.push(performance.now() - begin)
      counted.answered++
      if (status >= 300) counted.failed++
      ask()
    })
    socket.on('connect', ask)
    socket.on('data', readPart)
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('The server closed the connection.')))
  })
}

/** Calls with the status when an answer is there as a whole. */
function createReader(onAnswer) {
  let head = Buffer.alloc(0)
  let status = 0
  /** How many bytes are missing; `undefined` while nothing is known; `chunks`, when only the end tells the end. */
  let missing
  return (part) => {
    let rest = part
    if (missing === undefined) {
      head = head.length === 0 ? part : Buffer.concat([head, part])
      const place = head.indexOf(HEAD_END)
      if (place < 0) return
      const text = head.toString('latin1', 0, place)
      status = Number(text.slice(9, 12))
      rest = head.subarray(place + HEAD_END.length)
      const length = /\r\ncontent-length: *(\d+)/i.exec(text)
      missing = length === null ? 'chunks' : Number(length[1])
      head = Buffer.alloc(0)
    }
    if (missing === 'chunks') {
      head = Buffer.concat([head, rest]).subarray(-CHUNKS_END.length)
      if (!head.equals(CHUNKS_END)) return
    } else {
      missing -= rest.length
      if (missing > 0) return
    }
    head = Buffer.alloc(0)
    missing = undefined
    onAnswer(status)
  }
}
