import type { IncomingMessage, ServerResponse } from 'node:http'
import type { App } from '../endpoints/app'
import { onErrorOf } from '../endpoints/request-scope'
import { clientError, JsonApiError } from '../errors/json-api-error'
import type { Observation, Observe } from '../observation/observation'
import { Deadline } from '../request/http/deadline'
import type { HttpRequest, RequestHead } from '../request/http/http-request'
import { toErrorResponse } from '../request-handler/error-response'
import { handle } from '../request-handler/handle'
import { type HttpResponse, toPlainContext } from '../request-handler/http-response'
import { joinPages, type WebPage } from '../request-handler/page'
import { type AdmissionControl, AdmissionDenied, readReleasingSlot, withAdmissionControl } from './admission-control'
import { announcesBody, readBody } from './read-body'
import { type ResolveMountPoint, toRequestHead } from './request-head'
import { sendFailure, sendResponse } from './send-response'
import { serveObserved } from './serve-observed'

/** The function that Node's HTTP servers call with each request. */
export type Listener<Incoming extends IncomingMessage = IncomingMessage> = (
  request: Incoming,
  response: ServerResponse,
) => void

/** What a listener needs besides the app. */
export interface ListenerOptions<Incoming extends IncomingMessage> {
  readonly resolveMountPoint: ResolveMountPoint<Incoming>
  /** The option `context`. */
  readonly context: (request: Incoming) => unknown
  /** The resources that are no endpoints: explorer and OpenAPI document. */
  readonly pages: readonly WebPage[]
  /** `undefined` without load shedding. */
  readonly admission: AdmissionControl | undefined
}

/** Creates a listener that responds to every request. */
export function createListener<Incoming extends IncomingMessage>(
  app: App,
  options: ListenerOptions<Incoming>,
): Listener<Incoming> {
  const { resolveMountPoint, admission, pages } = options
  const { timeout } = app.options.limits
  const respondWithPage = joinPages(pages.filter(({ access }) => access === 'public'))
  const respond = createResponder(app, options)
  const respondInTime = timeout === null ? respond : respondBeforeDeadline(respond, app, timeout)
  const serve = async (request: Incoming, response: ServerResponse): Promise<void> => {
    try {
      const head = toRequestHead(request, resolveMountPoint(request))
      const page = respondWithPage?.(head)
      if (page !== undefined) return sendResponse(page, response, app)
      const observation = app.observe && startObservation(head, app.observe)
      const pending = { request, head, observation, deadline: undefined }
      if (observation === undefined) return sendResponse(await respondInTime(pending), response, app)
      const context = { options: app.options, onError: onErrorOf(app, observation) }
      return await serveObserved(observation, () => respondInTime(pending), response, context)
    } catch (error) {
      sendFailure(error, response, app)
    }
  }
  if (admission === undefined) return (request, response) => void serve(request, response)
  const reject = (request: Incoming, response: ServerResponse): void => {
    try {
      sendResponse(admission.denial, response, app)
      if (app.observe === undefined) return
      startObservation(toRequestHead(request, resolveMountPoint(request)), app.observe)?.end(admission.denial.status)
    } catch (error) {
      sendFailure(error, response, app)
    }
  }
  return withAdmissionControl(admission, serve, reject)
}

function startObservation({ method, mountPath, path }: RequestHead, observe: Observe): Observation | undefined {
  return observe({ method, path: mountPath + path })
}

interface PendingRequest<Incoming> {
  readonly request: Incoming
  readonly head: RequestHead
  readonly observation: Observation | undefined
  readonly deadline: Deadline | undefined
}

type Respond<Incoming> = (pending: PendingRequest<Incoming>) => Promise<HttpResponse>

/** The option `context` is called before the body is read. */
function createResponder<Incoming extends IncomingMessage>(
  app: App,
  { context, admission, pages }: ListenerOptions<Incoming>,
): Respond<Incoming> {
  const { bodySize } = app.options.limits
  const respondWithPage = joinPages(pages.filter(({ access }) => access === 'restricted'))
  const read = readReleasingSlot(admission, (request, deadline) => readBody(request, bodySize, deadline))
  return async ({ request, head, observation, deadline }) => {
    let received: HttpRequest
    try {
      // Browsers send preflight requests without credentials.
      const isAnonymous = head.method === 'OPTIONS'
      const returned = isAnonymous ? undefined : context(request)
      const resolved = returned === undefined ? returned : await returned
      const body = !isAnonymous && announcesBody(request) ? await read(request, deadline) : undefined
      if (body instanceof AdmissionDenied) return body.denial
      // The client has a response already if the deadline has expired.
      deadline?.check()
      received = { context: resolved, body, deadline, ...head }
      const page = respondWithPage?.(received)
      if (page !== undefined) return page
    } catch (error) {
      const response = toErrorResponse(error, toPlainContext(head, app), app, observation)
      return deadline?.hasExpired ? closingConnection(response) : response
    }
    return handle(received, app, observation)
  }
}

/** The rest of the request is not read, so nothing can be sent behind it on this connection. */
function closingConnection(response: HttpResponse): HttpResponse {
  return { ...response, headers: { connection: 'close', ...response.headers } }
}

/** Responds with an error when the deadline expires. */
function respondBeforeDeadline<Incoming>(
  respond: Respond<Incoming>,
  app: App,
  milliseconds: number,
): Respond<Incoming> {
  return (pending) =>
    new Promise((resolve, reject) => {
      const { head, observation } = pending
      const giveUp = (error: unknown) => {
        const timedOut = clientError('server.timeout', `${head.method} ${head.path} was aborted after its timeout.`)
        onErrorOf(app, observation)(new JsonApiError([timedOut]))
        try {
          resolve(toErrorResponse(error, toPlainContext(head, app), app, observation))
        } catch (another) {
          // An uncaught error in a timer would end the process.
          reject(another)
        }
      }
      const deadline = new Deadline(milliseconds, giveUp)
      const responded = (response: HttpResponse) => {
        // A streamed response ends the deadline when it begins.
        if (response.deadline === undefined) deadline.end()
        resolve(response)
      }
      const failed = (error: unknown) => {
        deadline.end()
        reject(error)
      }
      respond({ ...pending, deadline }).then(responded, failed)
    })
}
