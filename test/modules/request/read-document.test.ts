import { parseJsonObjectBody } from '../../../src/request/body/parse-json-object-body'
import { expectProblem, problemsOf } from './support/problems'

function read(text: string): unknown {
  return parseJsonObjectBody(Buffer.from(text), 100)
}

describe('reading a document', () => {
  it('accepts a byte order mark', () => expect(read('\uFEFF{"data":null}')).toEqual({ data: null }))
})

// What is just allowed: test/guides/limits.
describe('the depth of a document', () => {
  const nested = (levels: number) => `{"data":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`

  it.each([
    [nested(101), 'line 1, column 108'],
    [nested(200_000), 'line 1, column 108'],
    ['['.repeat(1_000_000), 'line 1, column 101'],
    [`{\n"a":${'{"a":'.repeat(100)}1`, 'line 2, column 500'],
  ])('refuses more than 100 levels at %#', (text, position) => {
    const [problem] = problemsOf(() => read(text))
    expect(problem).toMatchObject({ status: 400, code: 'document.shape' })
    expect(problem?.source).toBeUndefined()
    expect(problem?.detail).toContain(`at most 100 levels`)
    expect(problem?.detail).toContain(position)
  })

  it('does not count brackets in strings', () => {
    const text = JSON.stringify({ data: `\\"${'['.repeat(200)}`, '{"': ['\\'] })
    expect(read(text)).toEqual(JSON.parse(text))
  })

  it('does not count siblings', () => expect(() => read(`{"data":[${'[],'.repeat(500)}{}]}`)).not.toThrow())
})

describe('broken JSON', () => {
  it.each([
    ['  \n ^', 'a value, found the end'],
    ['{"a":^}', "a value, found '}'"],
    ['{"a":1,^}', "the name of a member in double quotes, found '}'"],
    ['{^a:1}', "the name of a member in double quotes, found 'a'"],
    ["{^'a':1}", "the name of a member in double quotes, found '''"],
    ['{"a" ^1}', "':', found '1'"],
    ['{"a":1 ^"b":2}', `',' or '}', found '"'`],
    ['{"a":[1^}', "',' or ']', found '}'"],
    ['[1,^]', "a value, found ']'"],
    ['{"a":1^', "',' or '}', found the end"],
    ['{"a":"x^', `'"', found the end`],
    ['{"a":"x^\n"}', "an escape sequence for the control character, found '\n'"],
    ['{"a":"^\\x"}', "an escape sequence, found '\\'"],
    ['{"a":"^\\u12G4"}', "an escape sequence, found '\\'"],
    ['{"a":"\\u1234 \\/ ok"}^x', "the end, found 'x'"],
    ['{"a":0^1}', `',' or '}', found '1'`],
    ['{"a":1^.}', `',' or '}', found '.'`],
    ['{"a":^+1}', "a value, found '+'"],
    ['{"a":^NaN}', "a value, found 'N'"],
    ['{"a":^undefined}', "a value, found 'u'"],
    ['{"a":true^e}', `',' or '}', found 'e'`],
    ['{"a":^😀}', "a value, found '😀'"],
    ['{}^{}', "the end, found '{'"],
    ['{"a":1}^// end', "the end, found '/'"],
    ['{\n  "ä": "😀",\n  "b" ^"c"\n}', `':', found '"'`],
  ])('is located in %s', (marked, words) => {
    const lines = marked.slice(0, marked.indexOf('^')).split('\n')
    const column = [...(lines.at(-1) ?? '')].length + 1
    const [problem] = problemsOf(() => read(marked.replace('^', '')))
    expect(problem).toMatchObject({ status: 400, code: 'document.syntax' })
    expect(problem?.source).toBeUndefined()
    expect(problem?.detail).toBe(`Expected ${words} at line ${lines.length}, column ${column}.`)
  })

  it('is found at any place of a truncated or changed document', () => {
    const text = '{"a":[1.5e-3,{"b":"\\u00e9"},true],"c":null}'
    const broken = [...text].flatMap((_, at) => [
      text.slice(0, at),
      ...['}', ']', ',', ':', '"', 'x', '\\', '1'].map((wrong) => text.slice(0, at) + wrong + text.slice(at + 1)),
    ])
    for (const each of broken.filter((candidate) => candidate !== '' && !isJson(candidate)))
      expectProblem(() => read(each), '400 document.syntax')
  })
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
