import type { Links } from '../document/document'
import type { MediaTypeParameters } from '../document/media-type'
import type { Api } from '../endpoints/api'
import { JsonApiError, problem } from '../errors/json-api-error'
import { isViewable } from '../graph/capabilities'
import { findFields } from '../graph/inheritance'
import type { Options } from '../graph/options'
import type { HttpRequest, RequestHead } from '../request/http-request'
import { negotiateRequest } from '../request/negotiate'
import {
  allowedMethods,
  findPlace,
  isFetchable,
  type Matched,
  type MatchedType,
  matchMethod,
  methodNotAllowed,
  methodsAnywhere,
  type Place,
  refuseLongUrl,
  refuseSwitchedOff,
} from '../request/routes'
import { selfLinks } from '../response/links'
import type { Reply } from '../response/reply'
import { toErrorReply, toServerErrorReply } from '../response/to-error-document'
import type { Failure } from '../store/store'
import { type Answering, answerOnce, claimKey } from './answer-once'
import { applicableAt } from './applicable'
import { contentKindOf, refuseUnmatched, toConditional } from './conditional'
import {
  type Exchange,
  type HttpReply,
  isRead,
  NOTHING_APPLIED,
  toExchange,
  toHttpReply,
  withMetaOfWrite,
} from './exchange'
import { toObserved } from './observed-endpoint'
import { type Reading, readFetch, readWork } from './read-work'

/** From request to reply: the one place where mistakes become documents. */
export async function answer(request: HttpRequest, api: Api): Promise<HttpReply> {
  api.observation?.enter('parse')
  const plain = () => toExchange(request, NOTHING_APPLIED, api.options)
  try {
    refuseLongUrl(request, api.options.limits)
    if (request.method === 'OPTIONS') return toHttpReply(optionsOf(request, api), plain())
    const place = findPlace(request.path, api.graph, api.options)
    const matched = matchMethod(place, request.method)
    if (matched === undefined) return toHttpReply(refuseMethod(place, request.method), plain())
    api.observation?.match(toObserved(matched))
    refuseSwitchedOff(matched, request, (...field) => api.askReadingRules(request.context).isHidden(...field))
    return await answerAt(matched, request, api)
  } catch (error) {
    return answerError(error, { exchange: plain(), api })
  }
}

/** The body of a request could not be read. */
export function answerUnread(error: unknown, head: RequestHead, api: Api): HttpReply {
  return answerError(error, { exchange: toExchange(head, NOTHING_APPLIED, api.options), api })
}

async function answerAt(matched: Matched, request: HttpRequest, api: Api): Promise<HttpReply> {
  const { applied } = negotiateRequest(request, applicableAt(matched.endpoint, api.options.extensions))
  // There is one profile; whether it is applied is known once there is a page.
  const exchange = atPlace(matched, toExchange(request, { ...applied, profiles: [] }, api.options))
  const refuse = (error: unknown) => answerError(error, { exchange, api, links: errorLinks(matched, exchange) })
  try {
    const { open, reading } = toReading(request, applied, api)
    const work = isFetch(matched, request)
      ? readFetch(matched, request, reading)
      : await readWork(matched, request, reading)
    refuseUnmatched(matched.endpoint, request)
    let answered = exchange
    const { context, deadline } = request
    const store = deadline === undefined ? api.store : api.store.until(deadline)
    const perform: Answering['perform'] = (beforeCommit) => {
      answered = withMetaOfWrite(exchange)
      return work({ ...open, context, beforeCommit, deadline, store }, exchange.requested)
    }
    const accept: Answering['accept'] = (reply) => {
      api.observation?.enter('document')
      const sent = answerReply(reply, matched, answered)
      return sent.rest === undefined ? sent : { ...sent, refuse, deadline }
    }
    api.observation?.enter('plan')
    const claimed = claimKey(request, api)
    // Most requests are to be performed and no more: what follows is for those that may come again.
    if (claimed === undefined) return accept(await perform(undefined))
    return await answerOnce(claimed, { perform, accept, refuse })
  } catch (error) {
    return refuse(error)
  }
}

/** What a request is read and performed with. Rules that hide fields are asked before names are looked up, and once. */
function toReading({ context }: HttpRequest, applied: MediaTypeParameters, api: Api): { open: Api; reading: Reading } {
  const options = applied.profiles.length === 0 ? api.options : withCursors(api.options)
  if (!api.definitions.hideFields) return { open: api, reading: { ...api, options } }
  const rules = api.askReadingRules(context)
  return {
    open: { ...api, askReadingRules: () => rules },
    reading: { ...api, options: { ...options, isHidden: rules.isHidden } },
  }
}

function isFetch(matched: Matched, request: HttpRequest): matched is MatchedType {
  return matched.type !== undefined && isRead(request)
}

/** The same object each time: what is kept for an API is kept by its options. */
function withCursors(options: Options): Reading['options'] {
  const known = CURSORS_WANTED.get(options)
  if (known !== undefined) return known
  const wanting = { ...options, wanted: 'cursors' as const }
  CURSORS_WANTED.set(options, wanting)
  return wanting
}

const CURSORS_WANTED = new WeakMap<Options, Reading['options']>()

function answerReply(reply: Reply, { endpoint }: Matched, exchange: Exchange): HttpReply {
  const kind = contentKindOf(endpoint, reply)
  const sent = toHttpReply(reply, exchange)
  return kind === undefined ? sent : toConditional(sent, { kind, token: reply.token }, exchange)
}

interface Refused {
  readonly exchange: Exchange
  readonly api: Api
  readonly links?: Links
}

/** An error is told as it is, if that can be: what an application puts around its documents can fail too. */
function answerError(error: unknown, { exchange, api, links = {} }: Refused): HttpReply {
  if (!(error instanceof JsonApiError)) api.report(error)
  api.observation?.enter('document')
  const reply = toReply(error, api)
  try {
    return toHttpReply(reply, exchange, links)
  } catch (another) {
    if (another !== error) api.report(another)
    return toHttpReply(toServerErrorReply(), { ...exchange, options: { ...exchange.options, meta: undefined } }, links)
  }
}

function toReply(error: unknown, { store }: Api): Reply {
  if (error instanceof JsonApiError) return toErrorReply(error)
  const failure = store.failureIn(error)
  return failure === undefined ? toServerErrorReply() : toErrorReply(FAILED[failure])
}

const FAILED: Readonly<Record<Failure, JsonApiError>> = {
  timeout: new JsonApiError([problem('server.timeout', 'Try again later, or ask for less at once.')]),
  outage: new JsonApiError([problem('server.unavailable', 'Try again later.')]),
}

function atPlace(place: Place, exchange: Exchange): Exchange {
  if (isFetchable(place)) return exchange
  return { ...exchange, requested: { ...exchange.requested, self: 'off' } }
}

/** Mistakes at a URL that there is link to it, when the type that would be the primary data has such links. */
function errorLinks(matched: Matched, { requested }: Exchange): Links {
  if (matched.type === undefined) return {}
  const { type, relationship } = matched
  const found = relationship === undefined ? [] : findFields(type, relationship).filter(isViewable)
  const [field] = found
  return selfLinks(field !== undefined && field.kind !== 'attribute' ? field.target : type, requested)
}

/** `*` asks for the server as a whole. https://www.rfc-editor.org/rfc/rfc9110#section-9.3.7 */
function optionsOf({ path }: HttpRequest, { graph, options }: Api): Reply {
  const allow = path === '*' ? methodsAnywhere(graph, options) : allowedMethods(findPlace(path, graph, options))
  return { status: 204, headers: { allow } }
}

function refuseMethod(place: Place, method: string): Reply {
  return { ...toErrorReply(methodNotAllowed(place, method)), headers: { allow: allowedMethods(place) } }
}
