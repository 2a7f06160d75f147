import type { ServerResponse } from 'node:http'
import type { RequestObservation } from '../observation/observation'
import { printServerTiming } from '../observation/server-timing'
import type { HttpResponse } from '../request-handler/http-response'
import { type OptionsWithErrorCallback, sendInternalServerError, sendResponse } from './send-response'

/** Serves an observed request. The observation ends when the body of the response is complete. */
export async function serveObservedRequest(
  observation: RequestObservation,
  respond: () => Promise<HttpResponse>,
  response: ServerResponse,
  context: OptionsWithErrorCallback,
): Promise<void> {
  try {
    const httpResponse = await observation.within(respond)
    const timed = context.options.serverTiming === true ? withTiming(httpResponse, observation, response) : httpResponse
    const sending = sendResponse(timed, response, context)
    if (sending !== undefined) await sending
    // A stream that fails before it begins is replaced by an error document.
    const hasBegun = sending !== undefined && response.headersSent
    observation.end(hasBegun ? response.statusCode : httpResponse.status)
  } catch (error) {
    sendInternalServerError(error, response, context)
    observation.end(500)
  }
}

/** Adds `Server-Timing`. Keeps the timings that middleware has set. */
function withTiming(
  httpResponse: HttpResponse,
  observation: RequestObservation,
  response: ServerResponse,
): HttpResponse {
  const existingTimings = [response.getHeader('server-timing') ?? []].flat().map(String)
  const timing = [...existingTimings, printServerTiming(observation.times())].join(', ')
  return { ...httpResponse, headers: { 'server-timing': timing, ...httpResponse.headers } }
}
