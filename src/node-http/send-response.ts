import type { Server, ServerResponse } from 'node:http'
import type { ApiCore } from '../endpoints/api-core'
import { buildConstantResponse, type HttpResponse } from '../request-handler/http-response'
import { createGenericServerErrorResult } from '../response/to-error-document'
import { type StreamedText, streamText, streamTimeoutError } from './stream-text'

/** Sends a response. For a streamed one, returns a promise that settles once the body is complete. */
export function sendResponse(
  sent: HttpResponse,
  response: ServerResponse,
  context: OptionsWithErrorCallback,
): Promise<void> | undefined {
  const { body, rest, deadline } = sent
  const isLong = body !== undefined && rest !== undefined && response.req.method !== 'HEAD'
  // The client has disconnected, or middleware has responded.
  const isClosed = response.headersSent || response.destroyed
  if (!isClosed && isServerClosing(response)) response.setHeader('connection', 'close')
  if (!isClosed && isLong)
    return sendStream(sent, { start: body, rest }, response, context).catch((error) =>
      sendInternalServerError(error, response, context),
    )
  deadline?.stopTimer()
  if (!isClosed) sendComplete(sent, response)
  return undefined
}

/** The options, and the `onError` of the request, which also reports to its observation. */
export type OptionsWithErrorCallback = Pick<ApiCore, 'options' | 'onError'>

/** Passes headers and body to Node together, which sends them in one write: 5 µs faster. HEAD gets no body: Node may reject one. */
function sendComplete({ status, headers, body, rest }: HttpResponse, response: ServerResponse): void {
  // Middleware may have set `Vary` already.
  const vary = withVary(response.getHeader('vary'), headers.vary)
  if (body === undefined) {
    // Node sets `Content-Length: 0` for the statuses that need it.
    response.setHeaders(new Map(Object.entries({ ...headers, vary }))).statusCode = status
    response.end()
    return
  }
  if (rest !== undefined) {
    response.writeHead(status, { ...headers, vary }).end()
    return
  }
  const length = Buffer.byteLength(body)
  response.writeHead(status, { 'content-length': length, ...headers, vary })
  if (response.req.method === 'HEAD') response.end()
  // A text with as many bytes as characters is ASCII. Node copies it faster as Latin-1.
  else response.end(body, body.length === length ? 'latin1' : 'utf8')
}

/** Sends an error document if the body fails before anything was sent. Later failures cut the connection. */
async function sendStream(
  { status, headers, reportErrorAndCreateResponse, deadline }: HttpResponse,
  text: StreamedText,
  response: ServerResponse,
  context: OptionsWithErrorCallback,
): Promise<void> {
  const begin = () => {
    deadline?.markResponseKnown()
    deadline?.stopTimer()
    const vary = withVary(response.getHeader('vary'), headers.vary)
    response.writeHead(status, { ...headers, vary })
  }
  try {
    await streamText(text, response, { begin, stallTimeout: context.options.limits.timeout })
  } catch (error) {
    if (!response.headersSent && reportErrorAndCreateResponse !== undefined)
      await sendResponse(reportErrorAndCreateResponse(error), response, context)
    else
      sendInternalServerError(
        deadline?.hasExpired ? streamTimeoutError(response, 'reading its data took too long') : error,
        response,
        context,
      )
  } finally {
    deadline?.stopTimer()
  }
}

/** Responds with 500 to an error that no other code handled, so that no request ends the process or stays without a response. */
export function sendInternalServerError(
  error: unknown,
  response: ServerResponse,
  context: OptionsWithErrorCallback,
): void {
  context.onError(error)
  if (response.headersSent) {
    if (!response.writableEnded) response.destroy()
    return
  }
  // Remove headers of the response that could not be sent.
  for (const name of CONTENT_HEADERS) response.removeHeader(name)
  try {
    sendResponse(FAILURE, response, context)
  } catch {
    // Middleware prevents sending headers.
    response.destroy()
  }
}

const FAILURE = buildConstantResponse(createGenericServerErrorResult())

/** The headers that describe a body. */
const CONTENT_HEADERS = ['allow', 'cache-control', 'content-length', 'etag', 'location', 'retry-after']

/** Returns true if the server is closing. An open connection would prevent its end. */
function isServerClosing({ req }: ServerResponse): boolean {
  return (req.socket as { readonly server?: Partial<Server> }).server?.listening === false
}

/** `Accept-Encoding` and `Accept` -> `Accept-Encoding, Accept` */
function withVary(present: ReturnType<ServerResponse['getHeader']>, name = 'Accept'): string {
  if (present === undefined || present === '') return name
  const names = String(present)
    .split(',')
    .map((each) => each.trim())
  return names.some((each) => each === '*' || each.toLowerCase() === name.toLowerCase())
    ? names.join(', ')
    : [...names, name].join(', ')
}
