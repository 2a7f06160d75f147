import type { LintOptions } from './exchange'
import type { FetchUnderTest } from './fetch-and-lint'
import { assertExchange } from './lint-exchange'

/**
 * Wraps `fetch`. Throws a `LintError` for a response that violates JSON:API.
 *
 * `const fetch = createLintingFetch(globalThis.fetch)`
 */
export function createLintingFetch(fetch: FetchUnderTest, options: LintOptions = {}): FetchUnderTest {
  return async (input, init) => {
    const requestBody = await bodyOf(input, init)
    const response = await fetch(input, init)
    const request = typeof input === 'string' || input instanceof URL ? { url: String(input), method: 'GET' } : input
    const exchange = {
      method: init?.method ?? request.method,
      url: response.redirected ? response.url : request.url,
      ...(requestBody !== undefined && { requestBody }),
      status: response.status,
      headers: response.headers,
      body: new Uint8Array(await response.clone().arrayBuffer()),
    }
    assertExchange(exchange, options)
    return response
  }
}

/** A stream can be read only once, so its content is unknown here. */
async function bodyOf(
  input: Parameters<FetchUnderTest>[0],
  init: Parameters<FetchUnderTest>[1],
): Promise<string | Uint8Array | undefined> {
  const body = init?.body
  if (typeof body === 'string' || body instanceof Uint8Array) return body
  if (body !== undefined && body !== null) return undefined
  return input instanceof Request ? input.clone().text() : ''
}
