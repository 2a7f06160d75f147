// Sends requests, checks their responses, and records their durations.
const { createHistogram, performance } = require('node:perf_hooks')
const { Pool } = require('undici')
const { UnexpectedResponse } = require('./expected-state')

const TYPE = 'application/vnd.api+json'
exports.ATOMIC = `${TYPE};ext="https://jsonapi.org/ext/atomic"`

/** Milliseconds until a response counts as lost. */
const TIMEOUT = 60_000

/** Creates a client that calls `record` with each response. */
exports.createClient = (url, { record, connections }) => {
  const pool = new Pool(url, { connections, headersTimeout: TIMEOUT, bodyTimeout: TIMEOUT })
  /** `due`: the planned time of the request. A late start counts as part of its duration. */
  const send = async (method, path, { due = performance.now(), body, headers, type = TYPE } = {}) => {
    const response = await pool.request({
      ...{ method, path },
      headers: { accept: type, ...(body && { 'content-type': type }), ...headers },
      body: body && JSON.stringify(body),
    })
    const text = await response.body.text()
    const document = text === '' ? undefined : JSON.parse(text)
    const { statusCode: status } = response
    record({ method, status, code: document?.errors?.[0]?.code, took: performance.now() - due })
    return { status, document, text, headers: response.headers }
  }
  return {
    send,
    /** Sends a request that must have this status. */
    async expect(expected, method, path, sending) {
      const response = await send(method, path, sending)
      const [status, code] = [expected].flat()
      const found = response.document?.errors?.[0]?.code
      if (response.status === status && found === code) return response
      const summary = `${method} ${path}: expected ${[status, code].join(' ')}, found ${response.status}`
      throw new UnexpectedResponse(`${summary}: ${response.text.slice(0, 400)}`)
    },
    close: () => pool.destroy(),
  }
}

/** Collects durations in whole microseconds, and counts the responses by status. */
exports.createMetrics = () => {
  const all = createHistogram()
  const byMethod = new Map()
  const responses = new Map()
  return {
    all,
    byMethod,
    responses,
    record({ method, status, code, took }) {
      const time = Math.max(1, Math.round(took * 1000))
      all.record(time)
      if (!byMethod.has(method)) byMethod.set(method, createHistogram())
      byMethod.get(method).record(time)
      const response = [status, code].filter(Boolean).join(' ')
      responses.set(response, (responses.get(response) ?? 0) + 1)
    },
  }
}
