import { parseAccept, parseMediaType, printJsonApiMediaType } from '../../../src/document/media-type'
import { type MediaTypeSupport, negotiateRequest } from '../../../src/request/http/negotiate-request'
import { problemsOf } from './support/problems'

// Media types that test/spec/json-api/content-negotiation does not send.

const JA = 'application/vnd.api+json'
const A = 'https://jsonapi.org/ext/atomic'
const C = 'https://jsonapi.org/profiles/ethanresnick/cursor-pagination'
const X = 'https://example.com/ext/nope'
const ATOMIC: MediaTypeSupport = { extensions: new Set([A]), profiles: new Set([C]), body: 'read' }

function negotiate(headers: Readonly<Record<string, string>>, body?: string, applicable?: MediaTypeSupport) {
  const method = body === undefined ? 'GET' : 'POST'
  const rest = { findOrigin: () => undefined, mountPath: '', path: '/men', queryString: '', context: undefined }
  const sent = { body: body === undefined ? undefined : Buffer.from(body), deadline: undefined }
  return negotiateRequest({ ...rest, ...sent, method, headers }, applicable)
}

describe('Content-Type', () => {
  it.each([
    ...[`${JA};\tprofile="${X} ${C}"`, `${JA};PROFILE="https://example.com/a,b;c"`],
    ...[`${JA};profile="with \\" quote"`, `${JA};`, `${JA};ext=""`],
  ])('accepts %s', (header) => expect(negotiate({ 'content-type': header }, '{}').contentType).toBe(JA))

  it.each([
    [`${JA}, text/plain`, 'text/plain'],
    [`${JA};charset`, 'charset'],
    [`${JA};ext=${X}`, 'ext=https:'],
    [`${JA};ext="${A}"`, A],
    [`${JA};profile="${C}";profile="${X}"`, 'profile='],
  ])('refuses %s for a body', (header, found) => {
    const [problem] = problemsOf(() => negotiate({ 'content-type': header }, '{}'))
    expect(problem).toMatchObject({ status: 415, code: 'header.content-type', source: { header: 'Content-Type' } })
    expect(problem?.detail).toContain(found)
    expect(problem?.detail).toContain('Expected')
  })

  it('refuses an unknown extension beside a known one', () => {
    const [problem] = problemsOf(() => negotiate({ 'content-type': `${JA};ext="${A} ${X}"` }, '{}', ATOMIC))
    expect(problem?.detail).toBe(`Expected no extension but '${A}', found the extension '${X}'.`)
  })
})

describe('Accept', () => {
  it('is parsed correctly after many others, and when it is very long', () => {
    const profilesOf = (uris: string) =>
      negotiate({ accept: `${JA};profile="${uris}"` }, undefined, ATOMIC).applied.profiles
    const others = Array.from({ length: 250 }, (_, number) => profilesOf(`${X}/${number}`))
    expect(others.flat()).toEqual([])
    expect([C, `${X.repeat(100)} ${C}`, X, C].map(profilesOf)).toEqual([[C], [C], [], [C]])
  })

  it.each([
    ...[' , ', '*/*;level=1', `${JA};Q=1.000`, `${JA};profile="https://example.com/a,b;c"`, `text/html, ${JA}`],
    ...['text/html;q=0.9, */*;q=0.1', 'text/html;q=0, */*', `${JA};q=0, ${JA};profile="${X}"`],
  ])('accepts %s', (accept) => expect(negotiate({ accept }).contentType).toBe(JA))

  it.each([
    ...[`${JA};ext="${A}"`, `${JA};ext="${X}", */*`, `${JA};charset=utf-8, application/*`, `${JA};charset, */*`],
    ...[`${JA};q=0, */*`, `${JA};q=2`, `${JA};q=0.1;q=0.2`, '*/*;q=0', 'application/*;q=0, */*'],
    'application/json, text/*',
  ])('refuses %s', (accept) => {
    const [problem] = problemsOf(() => negotiate({ accept }))
    expect(problem).toMatchObject({ status: 406, code: 'header.accept', source: { header: 'Accept' } })
    expect(problem?.detail).toContain(`Expected '${JA}'`)
    expect(problem?.detail).toContain(`found '${accept}'`)
  })

  it('names the supported extensions in the error', () => {
    const [problem] = problemsOf(() => negotiate({ accept: `${JA};ext="${A} ${X}"` }, undefined, ATOMIC))
    expect(problem?.detail).toContain(`profile, ext of '${A}' and a weight above 0`)
  })
})

describe('a media type', () => {
  it('parses what it prints: URIs in one quoted string', () => {
    const printed = printJsonApiMediaType({ extensions: [A, X], profiles: [C] })
    expect(printed).toBe(`${JA};ext="${A} ${X}";profile="${C}"`)
    expect(parseMediaType(printed)).toMatchObject({ name: JA, extensions: [A, X], profiles: [C], otherParameters: [] })
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
