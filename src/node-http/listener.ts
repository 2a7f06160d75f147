import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Api } from '../endpoints/api'
import { JsonApiError, problem } from '../errors/json-api-error'
import { answer, answerUnread } from '../exchange/answer'
import type { HttpReply } from '../exchange/exchange'
import { answerExplorer } from '../explorer/answer-explorer'
import type { Observation } from '../observation/observation'
import { answerDescription } from '../openapi/answer-description'
import { Deadline } from '../request/deadline'
import type { HttpRequest, RequestHead } from '../request/http-request'
import { type Admission, admitting, NoPlace, readOutside } from './admission'
import { hasBody, readBody } from './read-body'
import { type FindStanding, toRequestHead } from './request-head'
import { sendFailure, sendReply } from './send-reply'
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
  reception: Reception<Incoming>,
): Listener<Incoming> {
  const { findStanding, admission } = reception
  const { duration } = api.options.limits
  const answerTo = answering(api, reception)
  const answerInTime = duration === null ? answerTo : withDeadline(answerTo, duration)
  const serve = async (request: Incoming, response: ServerResponse): Promise<void> => {
    try {
      const head = toRequestHead(request, findStanding(request))
      const shown = answerExplorer(head, api)
      if (shown !== undefined) return sendReply(shown, response, api)
      const observation = beginToObserve(head, api)
      if (observation === undefined) return sendReply(await answerInTime({ request, head, api }), response, api)
      const answerObserved = (observed: Api) => answerInTime({ request, head, api: observed })
      return await serveObserved(answerObserved, { api, observation, response })
    } catch (error) {
      sendFailure(error, response, api)
    }
  }
  if (admission === undefined) return (request, response) => void serve(request, response)
  const refuse = (request: Incoming, response: ServerResponse): void => {
    try {
      sendReply(admission.refusal, response, api)
      if (api.observe === undefined) return
      beginToObserve(toRequestHead(request, findStanding(request)), api)?.end(admission.refusal.status)
    } catch (error) {
      sendFailure(error, response, api)
    }
  }
  return admitting(admission, serve, refuse)
}

function beginToObserve({ method, mountPath, path }: RequestHead, { observe }: Api): Observation | undefined {
  return observe?.({ method, path: mountPath + path })
}

interface Asked<Incoming> {
  readonly request: Incoming
  readonly head: RequestHead
  /** As this request has it. */
  readonly api: Api
  readonly deadline?: Deadline
}

type AnswerTo<Incoming> = (asked: Asked<Incoming>) => Promise<HttpReply>

/** `context` runs before the body is read, and neither for OPTIONS. What is not there is not waited for. */
function answering<Incoming extends IncomingMessage>(
  api: Api,
  { context, admission }: Omit<Reception<Incoming>, 'findStanding'>,
): AnswerTo<Incoming> {
  const { bodySize } = api.options.limits
  const read = readOutside(admission, (request, deadline) => readBody(request, bodySize, deadline))
  return async ({ request, head, api: observed, deadline }) => {
    let received: HttpRequest
    try {
      // Browsers send preflight requests without credentials.
      const isAnonymous = head.method === 'OPTIONS'
      const asking = isAnonymous ? undefined : context(request)
      const known = asking === undefined ? asking : await asking
      const body = !isAnonymous && hasBody(request) ? await read(request, deadline) : undefined
      if (body instanceof NoPlace) return body.refusal
      // Whoever is told already that it took too long is not answered twice.
      deadline?.check()
      received = { context: known, body, deadline, ...head }
      const description = answerDescription(received, api)
      if (description !== undefined) return description
    } catch (error) {
      const refused = answerUnread(error, head, observed)
      return deadline?.hasPassed ? withoutRest(refused) : refused
    }
    return answer(received, observed)
  }
}

/** What has not come of the request by now is not waited for any more: nothing can be sent behind it. */
function withoutRest(reply: HttpReply): HttpReply {
  return { ...reply, headers: { connection: 'close', ...reply.headers } }
}

/** What takes longer is given up, whatever it waits for. */
function withDeadline<Incoming>(answerTo: AnswerTo<Incoming>, milliseconds: number): AnswerTo<Incoming> {
  return (asked) =>
    new Promise((resolve, reject) => {
      const { head, api } = asked
      const giveUp = (error: unknown) => {
        api.report(new JsonApiError([problem('server.timeout', `${head.method} ${head.path} was given up.`)]))
        try {
          resolve(answerUnread(error, head, api))
        } catch (another) {
          // Nobody else would hear of it but the process, which would end.
          reject(another)
        }
      }
      const deadline = new Deadline(milliseconds, giveUp)
      const answered = (reply: HttpReply) => {
        // Whoever sends it ends the time of one that has yet to begin.
        if (reply.deadline === undefined) deadline.end()
        resolve(reply)
      }
      const failed = (error: unknown) => {
        deadline.end()
        reject(error)
      }
      answerTo({ ...asked, deadline }).then(answered, failed)
    })
}
