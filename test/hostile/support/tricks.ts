/** What a text may try, by how it is printed. */
export type Trick = readonly [name: string, text: string]

/** To get out of a literal, a comment or an escape of one of the databases, also by functions that wait, and patterns. */
const SQL: readonly string[] = [
  ...["' or '1'='1", '" or ""="', "') or 1=1 -- ", '1 or 1=1', "'; drop table article; --", '1; drop table article'],
  ...["' union select name, sql, 1 from sqlite_master -- ", '1 union select 1, 2, 3', "\\' or 1=1 -- ", 'a\\', 'a\\\\'],
  ...['\\n\\0\\Z\\%', "'", "''", '"', '`', 'a-- b', 'a# b', '/* a', '*/ a', '/*!50000 or 1=1 */', '$1', '?', ':id'],
  ...['@@version', '$$a$$', "E'\\x27'", "'||pg_sleep(9)||'", "' or sleep(9) -- ", "load_extension('x')"],
  ...['$' + '{7*7}{{7*7}}', '%', '_', 'a%', 'a_b', '\\%', '[a-z]', '(a+)+$'],
]

/** NUL, line breaks that would begin a header, escapes of terminals. */
const CONTROLS: readonly string[] = [
  ...['\0', 'a\0b', "'\0", 'a\nb', 'a\r\nX-Trick: yes', 'a\r\n\r\n<html>', '\t', '\x1a', 'a\b', '\x1b[31m', '\x7f'],
  ...['a\u2028b\u0085c'],
]

/** Halves of pairs, letters that fold into others or into two, quotes that look alike, and what is not seen. */
const UNICODE: readonly string[] = [
  ...['\ud800', '\udc00', '\udc00\ud800', 'a\ud83db', '\u{1f600}', '\u{1f468}\u200d\u{1f469}', '\u202eabc', 'a\u200bb'],
  ...['a\u200d', '\ufeffa', '\u00a0', '\u0301', '\u00e9', 'e\u0301', '\u0130', '\u0131', 'i', '\u00df', '\u1e9e', 'ss'],
  ...['\u017f', '\u212a', 'K', 'k', '\ufb01', '\uff07', '\u02bc', '\u2019', '\uffff', '\u{10ffff}', '\ufffd', '\uff11'],
  ...[' a ', ' ', ''],
]

const NUMBERS: readonly string[] = [
  ...['9007199254740993', '-9007199254740993', '9223372036854775808', '1e400', '-1e400', '1e-400', '1e999999999'],
  ...['-0', '00', '+1', '1_0', '0x10', '1.', '.5', '1e1', ' 1', '1 ', 'NaN', 'Infinity', 'null', 'true'],
  ...['1'.repeat(400), `0.${'0'.repeat(400)}1`, '2024-02-30', '24:00:00', '+275761-01-01T00:00:00Z'],
]

const NAMES: readonly string[] = [
  ...['__proto__', 'constructor', 'prototype', 'hasOwnProperty', 'toString', 'valueOf', 'toJSON', 'then', 'length'],
  ...['__defineGetter__', 'constructor.prototype', '__proto__.polluted'],
]

const PATHS: readonly string[] = [
  ...['.', '..', '../..', '..\\..', '..;', '/', '//', 'a/b', 'a;b=c', 'a?b=c', 'a#b', 'a&b=c', '%2e%2e', '%2f', '%00'],
  ...['%zz', '%c0%ae', '%u0027', '*', 'relationships', 'C:\\', 'file:///etc/passwd', '//evil.example/', '\\\\evil'],
]

/** Every text once. */
export const TRICKS: readonly Trick[] = [...SQL, ...CONTROLS, ...UNICODE, ...NUMBERS, ...NAMES, ...PATHS].map(
  (text) => [text.length > 40 ? `${text.length} characters` : escaped(text), text] as const,
)

/** As JSON, in ASCII. */
function escaped(text: string): string {
  return JSON.stringify(text).replaceAll(/[^ -~]/gu, (letter) => `\\u{${letter.codePointAt(0)?.toString(16)}}`)
}

/** What only a URL can hold: encodings that are broken, overlong or of something else. */
export const BROKEN_ENCODINGS: readonly string[] = [
  ...['%', '%2', '%zz', '%u0027', '%c0%a7', '%c0%80', '%e0%80%a7', '%f0%80%80%a7', '%ed%a0%80', '%ed%b0%80'],
  ...['%f4%90%80%80', '%fe', '%ff', '%80', '%c3', '%c3%28', '%e2%82', '%bf%27', '%a1%27', '%2527', '%25%32%37', '%00'],
]

/** As UTF-8 can't have it: halves of pairs as CESU-8 would. */
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

/** Whether a database can keep it. */
export function isWritable(text: string): boolean {
  return !/[\0\p{Surrogate}]/u.test(text)
}

/** In a filter. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
