import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Api } from '../endpoints/api'
import { JsonApiError, problem } from '../errors/json-api-error'
import { answer, answerUnread } from '../exchange/answer'
import type { HttpReply } from '../exchange/exchange'
import { answerExplorer } from '../explorer/answer-explorer'
import { answerDescription } from '../openapi/answer-description'
import { Deadline } from '../request/deadline'
import type { HttpRequest, RequestHead } from '../request/http-request'
import { type Admission, admitting } from './admission'
import { hasBody, readBody } from './read-body'
import { type FindStanding, toRequestHead } from './request-head'
import { sendReply } from './send-reply'
import { serveObserved } from './serve-observed'

/** What Node's HTTP servers call with each request. */
export type Listener<Incoming extends IncomingMessage = IncomingMessage> = (
  request: Incoming,
  response: ServerResponse,
) => void

/** What is asked of a request beyond what it says of itself. */
export interface Reception<Incoming extends IncomingMessage> {
  readonly findStanding: FindStanding<Incoming>
  /** Who is asking. */
  readonly context: (request: Incoming) => unknown
  /** `undefined`: there is time for everybody. */
  readonly admission: Admission | undefined
}

/** Every request is answered, whatever it asks for. */
export function createListener<Incoming extends IncomingMessage>(
  api: Api,
  { findStanding, context, admission }: Reception<Incoming>,
): Listener<Incoming> {
  const { bodySize, duration } = api.options.limits
  const read = (request: Incoming) => readBody(request, bodySize)
  const receive =
    admission === undefined ? read : (request: Incoming) => admission.outside(request, () => read(request))
  /** Who is asking comes before what is sent, and a body before its answer. What is not there is not waited for. */
  const answerTo = async (
    request: Incoming,
    head: RequestHead,
    observed: Api,
    deadline?: Deadline,
  ): Promise<HttpReply> => {
    let received: HttpRequest
    try {
      const asking = context(request)
      received = {
        context: asking === undefined ? asking : await asking,
        body: hasBody(request) ? await receive(request) : undefined,
        deadline,
        ...head,
      }
    } catch (error) {
      return admission?.refusalFor(error) ?? answerUnread(error, head, observed)
    }
    return answerDescription(received, api) ?? answer(received, observed)
  }
  const answerInTime = duration === null ? answerTo : withDeadline(answerTo, duration)
  const serve = async (request: Incoming, response: ServerResponse): Promise<void> => {
    const head = toRequestHead(request, findStanding(request))
    const shown = answerExplorer(head, api)
    if (shown !== undefined) return sendReply(shown, response, api.report)
    const observation = api.observe?.({ method: head.method, path: head.mountPath + head.path })
    if (observation === undefined) sendReply(await answerInTime(request, head, api), response, api.report)
    else await serveObserved((observed) => answerInTime(request, head, observed), { api, observation, response })
  }
  if (admission === undefined) return (request, response) => void serve(request, response)
  const refuse = (request: Incoming, response: ServerResponse): void => {
    sendReply(admission.refusal, response, api.report)
    if (api.observe === undefined) return
    const { method, mountPath, path } = toRequestHead(request, findStanding(request))
    api.observe({ method, path: mountPath + path }).end(admission.refusal.status)
  }
  return admitting(admission, serve, refuse)
}

type AnswerTo<Incoming> = (request: Incoming, head: RequestHead, api: Api, deadline?: Deadline) => Promise<HttpReply>

/** What takes longer is given up, whatever it waits for. */
function withDeadline<Incoming>(answerTo: AnswerTo<Incoming>, milliseconds: number): AnswerTo<Incoming> {
  return (request, head, api) =>
    new Promise((resolve, reject) => {
      const giveUp = (error: unknown) => {
        api.report(new JsonApiError([problem('server.timeout', `${head.method} ${head.path} was given up.`)]))
        resolve(answerUnread(error, head, api))
      }
      const deadline = new Deadline(milliseconds, giveUp)
      const answered = (reply: HttpReply) => {
        deadline.end()
        resolve(reply)
      }
      answerTo(request, head, api, deadline).then(answered, reject)
    })
}
