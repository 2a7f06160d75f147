import { parseAccept, parseMediaType, printMediaType } from '../../../src/document/media-type'
import type { HttpRequest } from '../../../src/request/http-request'
import { type Applicable, NOTHING_APPLICABLE, negotiateRequest } from '../../../src/request/negotiate'
import { expectProblem, problemsOf } from './support/problems'

const JA = 'application/vnd.api+json'
const A = 'https://jsonapi.org/ext/atomic'
const C = 'https://jsonapi.org/profiles/ethanresnick/cursor-pagination'
const X = 'https://example.com/ext/nope'

const ATOMIC: Applicable = { extensions: new Set([A]), profiles: new Set([C]), body: 'read' }

function request(headers: HttpRequest['headers'], body?: string): HttpRequest {
  return {
    method: body === undefined ? 'GET' : 'POST',
    findOrigin: () => undefined,
    mountPath: '',
    path: '/men',
    queryString: '',
    headers,
    context: undefined,
    deadline: undefined,
    body: body === undefined ? undefined : Buffer.from(body),
  }
}

describe('Content-Type', () => {
  it.each([
    ...[JA, 'Application/VND.API+JSON', `${JA} ; profile="${X}"`, `${JA};\tprofile="${X} ${C}"`],
    ...[`${JA};PROFILE="https://example.com/a,b;c"`, `${JA};profile="with \\" quote"`, `${JA};`, `${JA};ext=""`],
  ])('accepts %s', (header) => {
    expect(negotiateRequest(request({ 'content-type': header }, '{}')).contentType).toBe(JA)
  })

  it.each([
    ['application/json', 'application/json'],
    ['text/plain', 'text/plain'],
    [`${JA}, text/plain`, 'text/plain'],
    ['', "''"],
    [`${JA};charset=utf-8`, 'charset=utf-8'],
    [`${JA};version=1`, 'version=1'],
    [`${JA};q=1`, 'q=1'],
    [`${JA};charset`, 'charset'],
    [`${JA};ext=${X}`, 'ext=https:'],
    [`${JA};ext="${X}"`, X],
    [`${JA};ext="${A}"`, A],
    [`${JA};profile="${C}";profile="${X}"`, 'profile='],
  ])('refuses %s for a body', (header, found) => {
    const [problem] = problemsOf(() => negotiateRequest(request({ 'content-type': header }, '{}')))
    expect(problem).toMatchObject({ status: 415, code: 'header.content-type', source: { header: 'Content-Type' } })
    expect(problem?.detail).toContain(found)
    expect(problem?.detail).toContain('Expected')
  })

  it('is checked anew for the extensions of each endpoint and with or without a body', () => {
    const headers = { 'content-type': `${JA};ext="${A}"` }
    const sentTo = (applicable: Applicable) => negotiateRequest(request(headers, '{}'), applicable).sent.extensions
    expect([sentTo(ATOMIC), sentTo(ATOMIC)]).toEqual([[A], [A]])
    expect(problemsOf(() => sentTo(NOTHING_APPLICABLE))).toHaveLength(1)
    expect(negotiateRequest(request({ 'content-type': 'text/plain' })).contentType).toBe(JA)
    expect(problemsOf(() => negotiateRequest(request({ 'content-type': 'text/plain' }, '{}')))).toHaveLength(1)
  })

  it('is parsed correctly after many others, and when it is very long', () => {
    const profilesOf = (uris: string) => {
      return negotiateRequest(request({ accept: `${JA};profile="${uris}"` }), ATOMIC).applied.profiles
    }
    const others = Array.from({ length: 250 }, (_, number) => profilesOf(`${X}/${number}`))
    expect(others.flat()).toEqual([])
    expect([profilesOf(C), profilesOf(`${X.repeat(100)} ${C}`), profilesOf(X), profilesOf(C)]).toEqual([
      [C],
      [C],
      [],
      [C],
    ])
  })

  it.each([[undefined], ['text/html'], [JA], [`${JA};profile="${X}"`]])('accepts %s without a body', (header) => {
    expect(negotiateRequest(request({ 'content-type': header })).contentType).toBe(JA)
    expect(negotiateRequest(request({ 'content-type': header }, '')).contentType).toBe(JA)
  })

  it.each([[`${JA};charset=utf-8`], [`${JA};ext="${X}"`]])('refuses %s without a body', (header) => {
    expectProblem(() => negotiateRequest(request({ 'content-type': header })), '415 header.content-type Content-Type')
  })

  it('refuses an unknown extension beside a known one', () => {
    const [problem] = problemsOf(() =>
      negotiateRequest(request({ 'content-type': `${JA};ext="${A} ${X}"` }, '{}'), ATOMIC),
    )
    expect(problem).toMatchObject({ status: 415 })
    expect(problem?.detail).toBe(`Expected no extension but '${A}', found the extension '${X}'.`)
  })
})

describe('Accept', () => {
  it.each([
    ...[undefined, '', ' , ', '*/*', 'application/*', 'APPLICATION/*;q=0.1', '*/*;level=1', JA, `${JA};q=0.5`],
    ...[`${JA};Q=1.000`, `${JA};charset=utf-8, ${JA}`, `${JA};ext="${X}", ${JA};q=0.1`, `${JA};profile="${X}"`],
    ...[`${JA};profile="https://example.com/a,b;c"`, `text/html, ${JA}`, 'text/html;q=0.9, */*;q=0.1'],
    ...['text/html;q=0, */*', `${JA};q=0, ${JA};profile="${X}"`],
  ])('accepts %s', (header) => {
    expect(negotiateRequest(request({ accept: header })).contentType).toBe(JA)
  })

  it.each([
    ...[`${JA};charset=utf-8`, `${JA};a=1, ${JA};b=2`, `${JA};ext="${X}"`, `${JA};ext="${A}"`],
    ...[`${JA};charset=utf-8, ${JA};ext="${X}"`, `${JA};ext="${X}", */*`, `${JA};charset=utf-8, application/*`],
    ...[`${JA};charset, */*`, `${JA};q=0`, `${JA};q=0, */*`, `${JA};q=2`, `${JA};q=0.1;q=0.2`, '*/*;q=0'],
    ...['application/*;q=0, */*', 'text/html', 'application/json, text/*'],
  ])('refuses %s', (header) => {
    const [problem] = problemsOf(() => negotiateRequest(request({ accept: header })))
    expect(problem).toMatchObject({ status: 406, code: 'header.accept', source: { header: 'Accept' } })
    expect(problem?.detail).toContain(`Expected '${JA}'`)
    expect(problem?.detail).toContain(`found '${header}'`)
  })

  it('names the supported extensions in the error', () => {
    const [problem] = problemsOf(() => negotiateRequest(request({ accept: `${JA};ext="${A} ${X}"` }), ATOMIC))
    expect(problem).toMatchObject({ status: 406 })
    expect(problem?.detail).toContain(`profile, ext of '${A}' and a weight above 0`)
  })
})

describe('a media type', () => {
  it('prints URIs in one quoted string, without spaces', () => {
    expect(printMediaType({ extensions: [A, X], profiles: [C] })).toBe(`${JA};ext="${A} ${X}";profile="${C}"`)
  })

  it('parses what it prints', () => {
    const parameters = { extensions: [A], profiles: [C, X] }
    expect(parseMediaType(printMediaType(parameters))).toMatchObject({ name: JA, ...parameters, otherParameters: [] })
  })

  it('keeps unknown parameters as they are', () => {
    expect(parseMediaType(`${JA}; a="b;c" ; ="x"`).otherParameters).toEqual(['a="b;c"', '="x"'])
  })

  it.each([
    ['q=0', 0],
    ['q=0.', 0],
    ['q=.5', 0.5],
    ['q=0.123', 0.123],
    ['q = 1.0', 1],
    ['a=b', 1],
  ])('has for %s in Accept the weight %d', (parameter, weight) => {
    expect(parseAccept(`text/html;${parameter}`)).toMatchObject([{ name: 'text/html', weight }])
  })
})
