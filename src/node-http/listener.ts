import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Api } from '../endpoints/api'
import { clientError, JsonApiError } from '../errors/json-api-error'
import { respondWithExplorer } from '../explorer/respond-with-explorer'
import type { Observation } from '../observation/observation'
import { respondWithDescription } from '../openapi/respond-with-description'
import { Deadline } from '../request/http/deadline'
import type { HttpRequest, RequestHead } from '../request/http/http-request'
import { handleRequest, respondToUnreadableRequest } from '../request-handler/handle-request'
import type { HttpResponse } from '../request-handler/http-response'
import { type AdmissionControl, AdmissionDenied, readReleasingSlot, withAdmissionControl } from './admission-control'
import { hasBody, readBody } from './read-body'
import { type ResolveMountPoint, toRequestHead } from './request-head'
import { sendFailure, sendResponse } from './send-response'
import { serveObserved } from './serve-observed'

/** What Node's HTTP servers call with each request. */
export type Listener<Incoming extends IncomingMessage = IncomingMessage> = (
  request: Incoming,
  response: ServerResponse,
) => void

/** What is asked of a request beyond what it says of itself. */
export interface ListenerOptions<Incoming extends IncomingMessage> {
  readonly resolveMountPoint: ResolveMountPoint<Incoming>
  /** Who is asking. */
  readonly context: (request: Incoming) => unknown
  /** `undefined`: there is time for everybody. */
  readonly admission: AdmissionControl | undefined
}

/** Every request is answered, whatever it asks for. */
export function createListener<Incoming extends IncomingMessage>(
  api: Api,
  reception: ListenerOptions<Incoming>,
): Listener<Incoming> {
  const { resolveMountPoint, admission } = reception
  const { timeout } = api.options.limits
  const answerTo = createResponder(api, reception)
  const answerInTime = timeout === null ? answerTo : respondBeforeDeadline(answerTo, timeout)
  const serve = async (request: Incoming, response: ServerResponse): Promise<void> => {
    try {
      const head = toRequestHead(request, resolveMountPoint(request))
      const shown = respondWithExplorer(head, api)
      if (shown !== undefined) return sendResponse(shown, response, api)
      const observation = startObservation(head, api)
      if (observation === undefined) return sendResponse(await answerInTime({ request, head, api }), response, api)
      const answerObserved = (observed: Api) => answerInTime({ request, head, api: observed })
      return await serveObserved(answerObserved, { api, observation, response })
    } catch (error) {
      sendFailure(error, response, api)
    }
  }
  if (admission === undefined) return (request, response) => void serve(request, response)
  const refuse = (request: Incoming, response: ServerResponse): void => {
    try {
      sendResponse(admission.denial, response, api)
      if (api.observe === undefined) return
      startObservation(toRequestHead(request, resolveMountPoint(request)), api)?.end(admission.denial.status)
    } catch (error) {
      sendFailure(error, response, api)
    }
  }
  return withAdmissionControl(admission, serve, refuse)
}

function startObservation({ method, mountPath, path }: RequestHead, { observe }: Api): Observation | undefined {
  return observe?.({ method, path: mountPath + path })
}

interface PendingRequest<Incoming> {
  readonly request: Incoming
  readonly head: RequestHead
  /** As this request has it. */
  readonly api: Api
  readonly deadline?: Deadline
}

type Respond<Incoming> = (asked: PendingRequest<Incoming>) => Promise<HttpResponse>

/** `context` runs before the body is read, and neither for OPTIONS. What is not there is not waited for. */
function createResponder<Incoming extends IncomingMessage>(
  api: Api,
  { context, admission }: Omit<ListenerOptions<Incoming>, 'resolveMountPoint'>,
): Respond<Incoming> {
  const { bodySize } = api.options.limits
  const read = readReleasingSlot(admission, (request, deadline) => readBody(request, bodySize, deadline))
  return async ({ request, head, api: observed, deadline }) => {
    let received: HttpRequest
    try {
      // Browsers send preflight requests without credentials.
      const isAnonymous = head.method === 'OPTIONS'
      const asking = isAnonymous ? undefined : context(request)
      const known = asking === undefined ? asking : await asking
      const body = !isAnonymous && hasBody(request) ? await read(request, deadline) : undefined
      if (body instanceof AdmissionDenied) return body.denial
      // Whoever is told already that it took too long is not answered twice.
      deadline?.check()
      received = { context: known, body, deadline, ...head }
      const description = respondWithDescription(received, api)
      if (description !== undefined) return description
    } catch (error) {
      const refused = respondToUnreadableRequest(error, head, observed)
      return deadline?.hasExpired ? closingConnection(refused) : refused
    }
    return handleRequest(received, observed)
  }
}

/** What has not come of the request by now is not waited for any more: nothing can be sent behind it. */
function closingConnection(reply: HttpResponse): HttpResponse {
  return { ...reply, headers: { connection: 'close', ...reply.headers } }
}

/** What takes longer is given up, whatever it waits for. */
function respondBeforeDeadline<Incoming>(answerTo: Respond<Incoming>, milliseconds: number): Respond<Incoming> {
  return (asked) =>
    new Promise((resolve, reject) => {
      const { head, api } = asked
      const giveUp = (error: unknown) => {
        api.onError(new JsonApiError([clientError('server.timeout', `${head.method} ${head.path} was given up.`)]))
        try {
          resolve(respondToUnreadableRequest(error, head, api))
        } catch (another) {
          // Nobody else would hear of it but the process, which would end.
          reject(another)
        }
      }
      const deadline = new Deadline(milliseconds, giveUp)
      const answered = (reply: HttpResponse) => {
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
