import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ApiCore } from '../endpoints/api-core'
import { createErrorReporter } from '../endpoints/request-scope'
import { createErrorDetails, JsonApiError } from '../errors/json-api-error'
import type { RequestObservation, StartRequestObservation } from '../observation/observation'
import { Deadline } from '../request/http/deadline'
import type { HttpRequest, RequestHead } from '../request/http/http-request'
import { reportErrorAndCreateResponse } from '../request-handler/error-response'
import { handleRequest } from '../request-handler/handle'
import { type HttpResponse, toResponseContext } from '../request-handler/http-response'
import { combineNonJsonApiRoutes, type NonJsonApiRoute } from '../request-handler/non-json-api-route'
import { type AdmissionControl, AdmissionDenial } from './admission-control'
import { announcesBody, readBodyBytes } from './read-body-bytes'
import { type ResolveMountPoint, toRequestHead } from './request-head'
import { sendInternalServerError, sendResponse } from './send-response'
import { serveObservedRequest } from './serve-observed'

/** The function that Node's HTTP servers call with each request. */
export type RequestListener<Incoming extends IncomingMessage = IncomingMessage> = (
  request: Incoming,
  response: ServerResponse,
) => void

/** What a listener needs besides the core. */
export interface RequestListenerDependencies<Incoming extends IncomingMessage> {
  readonly resolveMountPoint: ResolveMountPoint<Incoming>
  /** The option `context`. */
  readonly context: (request: Incoming) => unknown
  /** The resources that are no endpoints: explorer and OpenAPI document. */
  readonly pages: readonly NonJsonApiRoute[]
  /** `undefined` without load shedding. */
  readonly admission: AdmissionControl | undefined
}

/** Creates a listener that responds to every request. */
export function createRequestListener<Incoming extends IncomingMessage>(
  core: ApiCore,
  { pages, ...options }: RequestListenerDependencies<Incoming>,
): RequestListener<Incoming> {
  const server: Server<Incoming> = {
    ...options,
    core,
    respondWithPublicPage: combineNonJsonApiRoutes(pages.filter(({ access }) => access === 'public')),
    respondWithRestrictedPage: combineNonJsonApiRoutes(pages.filter(({ access }) => access === 'restricted')),
  }
  const { admission } = server
  if (admission === undefined) return (request, response) => void serve(request, response, server)
  return (request, response) =>
    admission.admit(request, {
      serve: () => void serve(request, response, server).finally(() => admission.leave(request)),
      deny: () => deny(request, response, admission.denial, server),
    })
}

/** What all requests to one listener share. */
interface Server<Incoming extends IncomingMessage> extends Omit<RequestListenerDependencies<Incoming>, 'pages'> {
  readonly core: ApiCore
  readonly respondWithPublicPage: NonJsonApiRoute['respond'] | undefined
  readonly respondWithRestrictedPage: NonJsonApiRoute['respond'] | undefined
}

/** Sends the response to a request. Settles once it is complete. */
async function serve<Incoming extends IncomingMessage>(
  request: Incoming,
  response: ServerResponse,
  server: Server<Incoming>,
): Promise<void> {
  const { core, resolveMountPoint, respondWithPublicPage } = server
  try {
    const head = toRequestHead(request, resolveMountPoint(request))
    const page = respondWithPublicPage?.(head)
    if (page !== undefined) return sendResponse(page, response, core)
    const observation = core.observe && startObservation(head, core.observe)
    const received = { request, head, observation }
    if (observation === undefined) return sendResponse(await respondInTime(received, server), response, core)
    const context = { options: core.options, onError: createErrorReporter(core, observation) }
    return await serveObservedRequest(observation, () => respondInTime(received, server), response, context)
  } catch (error) {
    sendInternalServerError(error, response, core)
  }
}

/** Sends the response to a request that load shedding rejects, before anything of it is read. */
function deny<Incoming extends IncomingMessage>(
  request: Incoming,
  response: ServerResponse,
  denial: HttpResponse,
  { core, resolveMountPoint }: Server<Incoming>,
): void {
  try {
    sendResponse(denial, response, core)
    if (core.observe === undefined) return
    startObservation(toRequestHead(request, resolveMountPoint(request)), core.observe).end(denial.status)
  } catch (error) {
    sendInternalServerError(error, response, core)
  }
}

function startObservation(
  { method, mountPath, path }: RequestHead,
  observe: StartRequestObservation,
): RequestObservation {
  return observe({ method, path: mountPath + path })
}

/** A request whose body is not read yet. */
interface ReceivedRequest<Incoming> {
  readonly request: Incoming
  readonly head: RequestHead
  readonly observation: RequestObservation | undefined
}

/** Responds with an error when the time limit of the request expires. */
function respondInTime<Incoming extends IncomingMessage>(
  received: ReceivedRequest<Incoming>,
  server: Server<Incoming>,
): Promise<HttpResponse> {
  const { core } = server
  const { head, observation } = received
  const { timeout } = core.options.limits
  if (timeout === null) return respond(received, undefined, server)
  return new Promise((resolve, reject) => {
    const deadline = new Deadline(timeout, (error) => {
      const timedOut = createErrorDetails(
        'server.timeout',
        `${head.method} ${head.path} was aborted after its timeout.`,
      )
      createErrorReporter(core, observation)(new JsonApiError([timedOut]))
      try {
        resolve(reportErrorAndCreateResponse(error, toResponseContext(head, core), core, observation))
      } catch (failure) {
        // An uncaught error in a timer would end the process.
        reject(failure)
      }
    })
    respond(received, deadline, server).then(
      (response) => {
        // A streamed response ends the deadline when it begins.
        if (response.deadline === undefined) deadline.stopTimer()
        resolve(response)
      },
      (error) => {
        deadline.stopTimer()
        reject(error)
      },
    )
  })
}

/** Calls the option `context`, then reads the body, then handles the request. */
async function respond<Incoming extends IncomingMessage>(
  { request, head, observation }: ReceivedRequest<Incoming>,
  deadline: Deadline | undefined,
  { core, context, admission, respondWithRestrictedPage }: Server<Incoming>,
): Promise<HttpResponse> {
  let complete: HttpRequest
  try {
    // Browsers send preflight requests without credentials.
    const isAnonymous = head.method === 'OPTIONS'
    const returned = isAnonymous ? undefined : context(request)
    const resolved = returned === undefined ? returned : await returned
    const readRequestBody = () => readBodyBytes(request, core.options.limits, deadline)
    const hasBody = !isAnonymous && announcesBody(request)
    const body = hasBody ? await (admission?.releaseDuring(request, readRequestBody) ?? readRequestBody()) : undefined
    if (body instanceof AdmissionDenial) return body.denial
    // The client has a response already if the deadline has expired.
    deadline?.check()
    complete = { context: resolved, body, deadline, ...head }
    const page = respondWithRestrictedPage?.(complete)
    if (page !== undefined) return page
  } catch (error) {
    const response = reportErrorAndCreateResponse(error, toResponseContext(head, core), core, observation)
    return deadline?.hasExpired ? closingConnection(response) : response
  }
  return handleRequest(complete, core, observation)
}

/** Closes the connection after the response, because the rest of the request is not read. */
function closingConnection(response: HttpResponse): HttpResponse {
  return { ...response, headers: { connection: 'close', ...response.headers } }
}
