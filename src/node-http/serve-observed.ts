import type { ServerResponse } from 'node:http'
import type { Api } from '../endpoints/api'
import { toObservedApi } from '../endpoints/observed-api'
import type { Observation } from '../observation/observation'
import { printServerTiming } from '../observation/server-timing'
import type { HttpResponse } from '../request-handler/http-response'
import { sendFailure, sendResponse } from './send-response'

interface ObservedRequest {
  readonly api: Api
  readonly observation: Observation
  readonly response: ServerResponse
}

/** Answers a request that somebody looks at, until the last of the answer is made. */
export async function serveObserved(
  answerWith: (observed: Api) => Promise<HttpResponse>,
  { api, observation, response }: ObservedRequest,
): Promise<void> {
  const observed = toObservedApi(api, observation)
  try {
    const reply = await observation.within(() => answerWith(observed))
    const timed = api.options.serverTiming === true ? withTiming(reply, observation, response) : reply
    const sending = sendResponse(timed, response, observed)
    if (sending !== undefined) await sending
    // What was to be made while it is sent can have become an error before it began.
    const hasBegun = sending !== undefined && response.headersSent
    observation.end(hasBegun ? response.statusCode : reply.status)
  } catch (error) {
    sendFailure(error, response, observed)
    observation.end(500)
  }
}

/** Others in front may have measured something already. */
function withTiming(reply: HttpResponse, observation: Observation, response: ServerResponse): HttpResponse {
  const said = [response.getHeader('server-timing') ?? []].flat().map(String)
  const timing = [...said, printServerTiming(observation.times())].join(', ')
  return { ...reply, headers: { 'server-timing': timing, ...reply.headers } }
}
