import { Agent } from 'node:http'
import type { Exchange, RequirementId } from 'stemma/testing'
import supertest, { type Response } from 'supertest'
import { lint } from './lint'
import type { OpenApiCheck } from './openapi-check'

export const JSON_API_MEDIA_TYPE = 'application/vnd.api+json'

/** Connections stay open between requests, as in real clients. */
const agent = new Agent({ keepAlive: true })

/**
 * A request of supertest: `await new ApiRequest(url, 'POST', '/men').send({ data }).expect(201)`. A body is sent with the media type of
 * JSON:API, and every response is checked against JSON:API and the OpenAPI document of the API.
 */
export class ApiRequest extends supertest.Test {
  /** The headers that are set, by name. */
  declare readonly header: Readonly<Record<string, string>>

  #ignored: readonly RequirementId[] = []
  #isChecked = true
  #requestBody: string | Uint8Array = ''

  readonly #check: OpenApiCheck
  readonly #path: string

  /** `check`: checks the response against an OpenAPI document. */
  constructor(url: string, method: string, path: string, check: OpenApiCheck = () => {}) {
    super(url, method, path)
    this.#check = check
    this.#path = url + path
    this.agent(agent).unset('accept-encoding')
  }

  /** Sends JSON; a string or bytes are sent as they are. Without a body nothing is sent. */
  override send(body?: unknown): this {
    if (body === undefined) return this
    this.#requestBody = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body)
    if (this.get('content-type') === undefined) this.type(JSON_API_MEDIA_TYPE)
    if (typeof this.#requestBody !== 'string') this.serialize((bytes) => bytes)
    return super.send(typeof this.#requestBody === 'string' ? this.#requestBody : Buffer.from(this.#requestBody))
  }

  /** Requirements of JSON:API that the response violates on purpose. */
  ignoring(...requirements: readonly RequirementId[]): this {
    this.#ignored = requirements
    return this
  }

  /** Skips both checks, for what is not JSON:API: the OpenAPI document, pages, and routes of the application. */
  unchecked(): this {
    this.#isChecked = false
    return this
  }

  /** Sends the request now; otherwise it is sent when it is awaited. */
  start(): Promise<Response> {
    return this.then((response) => response)
  }

  /** Checks the response before what the test expects of it. Adds the response to the message of an assertion that fails. */
  // Without `expect`, which takes a stack trace for each request.
  assert(
    responseError: Error | null,
    response: Response | null | undefined,
    callback: (error: Error | null, response?: Response) => void,
  ) {
    const { assert } = supertest.Test.prototype as unknown as { assert: ApiRequest['assert'] }
    const finish = (error: Error | null, passed?: Response) => {
      if (error !== null && response?.text) error.message += `\n${response.text}`
      callback(error, passed)
    }
    try {
      if (response) this.#checkResponse(response)
    } catch (error) {
      finish(error as Error)
      return
    }
    assert.call(this, responseError, response, finish)
  }

  #checkResponse(response: Response): void {
    // supertest does not set the text of responses to HEAD.
    response.text ??= ''
    if (!this.#isChecked) return
    const { status, text } = response
    const headers = new Headers(response.headers)
    const exchange: Exchange = {
      method: this.method,
      url: this.#path,
      requestBody: this.#requestBody,
      status,
      headers,
      body: text,
    }
    const document: unknown = text === '' ? undefined : response.body
    lint(exchange, document, this.#ignored, Object.values(this.header).join(' '))
    this.#check(exchange, document)
  }
}
