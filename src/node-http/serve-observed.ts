import type { ServerResponse } from 'node:http'
import type { Api } from '../endpoints/api'
import { toObservedApi } from '../endpoints/observed-api'
import type { HttpReply } from '../exchange/exchange'
import type { Observation } from '../observation/observation'
import { printServerTiming } from '../observation/server-timing'
import { sendReply } from './send-reply'

interface Serving {
  readonly api: Api
  readonly observation: Observation
  readonly response: ServerResponse
}

/** Answers a request that somebody looks at, until the last of it is out. */
export async function serveObserved(
  answerWith: (observed: Api) => Promise<HttpReply>,
  { api, observation, response }: Serving,
): Promise<void> {
  const observed = toObservedApi(api, observation)
  const reply = await observation.within(() => answerWith(observed))
  const timed = api.options.serverTiming === 'on' ? withTiming(reply, observation, response) : reply
  sendReply(timed, response, observed.report)
  const end = () => observation.end(reply.status)
  if (reply.rest === undefined || response.closed) end()
  else response.once('close', end)
}

/** Others in front may have measured something already. */
function withTiming(reply: HttpReply, observation: Observation, response: ServerResponse): HttpReply {
  const said = [response.getHeader('server-timing') ?? []].flat().map(String)
  const timing = [...said, printServerTiming(observation.times())].join(', ')
  return { ...reply, headers: { 'server-timing': timing, ...reply.headers } }
}
