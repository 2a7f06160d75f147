// Sends requests, checks their responses, and records their durations.
const { createHistogram, performance } = require('node:perf_hooks')
const { Pool } = require('undici')
const { Unexpected } = require('./ledger')

const TYPE = 'application/vnd.api+json'
exports.ATOMIC = `${TYPE};ext="https://jsonapi.org/ext/atomic"`

/** Milliseconds until a response counts as lost. */
const PATIENCE = 60_000

/** Creates a client that calls `record` with each response. */
exports.createClient = (url, { record, connections }) => {
  const pool = new Pool(url, { connections, headersTimeout: PATIENCE, bodyTimeout: PATIENCE })
  /** `due`: the planned time of the request. A late start counts as part of its duration. */
  const send = async (method, path, { due = performance.now(), body, headers, type = TYPE } = {}) => {
    const answer = await pool.request({
      ...{ method, path },
      headers: { accept: type, ...(body && { 'content-type': type }), ...headers },
      body: body && JSON.stringify(body),
    })
    const text = await answer.body.text()
    const document = text === '' ? undefined : JSON.parse(text)
    const { statusCode: status } = answer
    record({ method, status, code: document?.errors?.[0]?.code, took: performance.now() - due })
    return { status, document, text, headers: answer.headers }
  }
  return {
    send,
    /** Sends a request that must have this status. */
    async expect(expected, method, path, sending) {
      const answer = await send(method, path, sending)
      const [status, code] = [expected].flat()
      const found = answer.document?.errors?.[0]?.code
      if (answer.status === status && found === code) return answer
      const told = `${method} ${path}: expected ${[status, code].join(' ')}, found ${answer.status}`
      throw new Unexpected(`${told}: ${answer.text.slice(0, 400)}`)
    },
    close: () => pool.destroy(),
  }
}

/** Records durations in whole microseconds, and counts the responses by status. */
exports.createRecords = () => {
  const all = createHistogram()
  const byMethod = new Map()
  const answers = new Map()
  return {
    all,
    byMethod,
    answers,
    record({ method, status, code, took }) {
      const time = Math.max(1, Math.round(took * 1000))
      all.record(time)
      if (!byMethod.has(method)) byMethod.set(method, createHistogram())
      byMethod.get(method).record(time)
      const answer = [status, code].filter(Boolean).join(' ')
      answers.set(answer, (answers.get(answer) ?? 0) + 1)
    },
  }
}
