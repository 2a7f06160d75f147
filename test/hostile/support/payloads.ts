/** A hostile text with a name for test titles. */
export type Payload = readonly [name: string, text: string]

const toPayload = (text: string): Payload => [text, text]

/** Texts that could end a literal, a comment or an escape on one of the databases. */
const SQL: readonly Payload[] = [
  // Conditions, statements and unions.
  ...["' or '1'='1", '" or ""="', "') or 1=1 -- ", '1 or 1=1', "'; drop table article; --", '1; drop table article'],
  ...["' union select name, sql, 1 from sqlite_master -- ", '1 union select 1, 2, 3'],
  // Quotes and escapes.
  ...["\\' or 1=1 -- ", 'a\\', 'a\\\\', '\\n\\0\\Z\\%', "'", "''", '"', '`', '$$a$$', "E'\\x27'"],
  // Comments (MariaDB executes `/*!50000 … */`), parameters and functions.
  ...['a-- b', 'a# b', '/* a', '*/ a', '/*!50000 or 1=1 */', '$1', '?', ':id', '@@version'],
  ...["'||pg_sleep(9)||'", "' or sleep(9) -- ", "load_extension('x')", '$' + '{7*7}{{7*7}}'],
  // Wildcards and patterns.
  ...['%', '_', 'a%', 'a_b', '\\%', '[a-z]', '(a+)+$'],
].map(toPayload)

const CONTROLS: readonly Payload[] = [
  ['NUL', '\0'],
  ['NUL inside a text', 'a\0b'],
  ['NUL after a quote', "'\0"],
  ['a line feed', 'a\nb'],
  ['a carriage return and a header', 'a\rSet-Cookie: a=b'],
  ['letters whose low bytes are a line break', '\u010a\u010d\u560a\u560dSet-Cookie: a=b'],
  ['a line break and a header', 'a\r\nX-Injected: yes'],
  ['two line breaks and HTML', 'a\r\n\r\n<html>'],
  ['a tab', '\t'],
  ['the control character SUB', '\x1a'],
  ['a backspace', 'a\b'],
  ['a terminal escape sequence', '\x1b[31m'],
  ['DEL', '\x7f'],
  ['Unicode line separators', 'a\u2028b\u0085c'],
]

const UNICODE: readonly Payload[] = [
  ['a high surrogate', '\ud800'],
  ['a low surrogate', '\udc00'],
  ['surrogates in the wrong order', '\udc00\ud800'],
  ['a surrogate inside a text', 'a\ud83db'],
  ['an emoji', '\u{1f600}'],
  ['an emoji of two joined ones', '\u{1f468}\u200d\u{1f469}'],
  ['a right-to-left override', '\u202eabc'],
  ['a zero-width space', 'a\u200bb'],
  ['a zero-width joiner', 'a\u200d'],
  ['a byte order mark', '\ufeffa'],
  ['a no-break space', '\u00a0'],
  ['a combining accent alone', '\u0301'],
  ['a composed letter', '\u00e9'],
  ['a decomposed letter', 'e\u0301'],
  ['capital I with a dot', '\u0130'],
  ['dotless i', '\u0131'],
  ['i', 'i'],
  ['sharp s', '\u00df'],
  ['capital sharp s', '\u1e9e'],
  ['ss', 'ss'],
  ['long s', '\u017f'],
  ['the Kelvin sign', '\u212a'],
  ['K', 'K'],
  ['k', 'k'],
  ['a ligature', '\ufb01'],
  ['a full-width quote', '\uff07'],
  ['a modifier apostrophe', '\u02bc'],
  ['a curly quote', '\u2019'],
  ['a noncharacter', '\uffff'],
  ['the last code point', '\u{10ffff}'],
  ['the replacement character', '\ufffd'],
  ['a full-width digit', '\uff11'],
  ['a letter between spaces', ' a '],
  ['a space', ' '],
  ['an empty text', ''],
]

const NUMBERS: readonly Payload[] = [
  ...['9007199254740993', '-9007199254740993', '9223372036854775808', '1e400', '-1e400', '1e-400', '1e999999999'],
  ...['-0', '00', '+1', '1_0', '0x10', '1.', '.5', '1e1', ' 1', '1 ', 'NaN', 'Infinity', 'null', 'true'],
  ...['1'.repeat(400), `0.${'0'.repeat(400)}1`, '2024-02-30', '24:00:00', '+275761-01-01T00:00:00Z'],
].map((text) => [text.length > 40 ? `${text.length} digits` : text, text] as const)

const NAMES: readonly Payload[] = [
  ...['__proto__', 'constructor', 'prototype', 'hasOwnProperty', 'toString', 'valueOf', 'toJSON', 'then', 'length'],
  ...['__defineGetter__', 'constructor.prototype', '__proto__.polluted'],
].map(toPayload)

const PATHS: readonly Payload[] = [
  ...['.', '..', '../..', '..\\..', '..;', '/', '//', 'a/b', 'a;b=c', 'a?b=c', 'a#b', 'a&b=c', '%2e%2e', '%2f', '%00'],
  ...['%zz', '%c0%ae', '%u0027', '*', 'relationships', 'C:\\', 'file:///etc/passwd', '//evil.example/', '\\\\evil'],
].map(toPayload)

/** All payloads; no text occurs twice. */
export const PAYLOADS: readonly Payload[] = [...SQL, ...CONTROLS, ...UNICODE, ...NUMBERS, ...NAMES, ...PATHS]

/** Percent-encodings that are broken, overlong, doubled, or of another character set. */
export const BROKEN_ENCODINGS: readonly string[] = [
  ...['%', '%2', '%zz', '%u0027', '%c0%a7', '%c0%80', '%e0%80%a7', '%f0%80%80%a7', '%ed%a0%80', '%ed%b0%80'],
  ...['%f4%90%80%80', '%fe', '%ff', '%80', '%c3', '%c3%28', '%e2%82', '%bf%27', '%a1%27', '%2527', '%25%32%37', '%00'],
]

/** Percent-encodes a text. A lone surrogate becomes three bytes, as in CESU-8, although this is not valid UTF-8. */
export function encoded(text: string): string {
  return [...text]
    .map((letter) => {
      const code = letter.charCodeAt(0)
      const isHalf = letter.length === 1 && code >= 0xd800 && code <= 0xdfff
      if (!isHalf) return encodeURIComponent(letter)
      return [0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63)]
        .map((byte) => `%${byte.toString(16)}`)
        .join('')
    })
    .join('')
    .replaceAll('.', '%2e')
}

/** Returns true if all databases can store the text. */
export function isWritable(text: string): boolean {
  return !/[\0\p{Surrogate}]/u.test(text)
}

/** Quotes a text as a literal of a filter. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
