/** What a text may try, by what it is called. */
export type Trick = readonly [name: string, text: string]

const toTrick = (text: string): Trick => [text, text]

/** To get out of a literal, a comment or an escape of one of the databases. */
const SQL: readonly Trick[] = [
  // Conditions, statements and unions.
  ...["' or '1'='1", '" or ""="', "') or 1=1 -- ", '1 or 1=1', "'; drop table article; --", '1; drop table article'],
  ...["' union select name, sql, 1 from sqlite_master -- ", '1 union select 1, 2, 3'],
  // Quotes, and what hides one.
  ...["\\' or 1=1 -- ", 'a\\', 'a\\\\', '\\n\\0\\Z\\%', "'", "''", '"', '`', '$$a$$', "E'\\x27'"],
  // Comments, the last of which MariaDB runs, parameters and functions.
  ...['a-- b', 'a# b', '/* a', '*/ a', '/*!50000 or 1=1 */', '$1', '?', ':id', '@@version'],
  ...["'||pg_sleep(9)||'", "' or sleep(9) -- ", "load_extension('x')", '$' + '{7*7}{{7*7}}'],
  // Wildcards and patterns.
  ...['%', '_', 'a%', 'a_b', '\\%', '[a-z]', '(a+)+$'],
].map(toTrick)

const CONTROLS: readonly Trick[] = [
  ['NUL', '\0'],
  ['NUL within', 'a\0b'],
  ['NUL behind a quote', "'\0"],
  ['a line break', 'a\nb'],
  ['half a line break', 'a\rSet-Cookie: a=b'],
  ['letters that lose a byte to be a line break', '\u010a\u010d\u560a\u560dSet-Cookie: a=b'],
  ['a header', 'a\r\nX-Trick: yes'],
  ['two line breaks', 'a\r\n\r\n<html>'],
  ['a tab', '\t'],
  ['the end of a file', '\x1a'],
  ['a backspace', 'a\b'],
  ['an escape of a terminal', '\x1b[31m'],
  ['DEL', '\x7f'],
  ['a line break of Unicode', 'a\u2028b\u0085c'],
]

const UNICODE: readonly Trick[] = [
  ['the first half of a pair', '\ud800'],
  ['the second half of a pair', '\udc00'],
  ['a pair the wrong way', '\udc00\ud800'],
  ['half of a pair within', 'a\ud83db'],
  ['a pair', '\u{1f600}'],
  ['several people', '\u{1f468}\u200d\u{1f469}'],
  ['text from the right', '\u202eabc'],
  ['nothing to see', 'a\u200bb'],
  ['a joiner', 'a\u200d'],
  ['a mark of the order of bytes', '\ufeffa'],
  ['a blank that does not break', '\u00a0'],
  ['a sign upon nothing', '\u0301'],
  ['one letter', '\u00e9'],
  ['the same letter in two', 'e\u0301'],
  ['I with a dot', '\u0130'],
  ['i without a dot', '\u0131'],
  ['i', 'i'],
  ['sharp s', '\u00df'],
  ['a large sharp s', '\u1e9e'],
  ['two s', 'ss'],
  ['a long s', '\u017f'],
  ['Kelvin', '\u212a'],
  ['K', 'K'],
  ['k', 'k'],
  ['a ligature', '\ufb01'],
  ['a wide quote', '\uff07'],
  ['a modifier for a quote', '\u02bc'],
  ['a curly quote', '\u2019'],
  ['no character', '\uffff'],
  ['the last character', '\u{10ffff}'],
  ['what stands for others', '\ufffd'],
  ['a digit of another script', '\uff11'],
  ['blanks around', ' a '],
  ['a blank', ' '],
  ['nothing', ''],
]

const NUMBERS: readonly Trick[] = [
  ...['9007199254740993', '-9007199254740993', '9223372036854775808', '1e400', '-1e400', '1e-400', '1e999999999'],
  ...['-0', '00', '+1', '1_0', '0x10', '1.', '.5', '1e1', ' 1', '1 ', 'NaN', 'Infinity', 'null', 'true'],
  ...['1'.repeat(400), `0.${'0'.repeat(400)}1`, '2024-02-30', '24:00:00', '+275761-01-01T00:00:00Z'],
].map((text) => [text.length > 40 ? `${text.length} digits` : text, text] as const)

const NAMES: readonly Trick[] = [
  ...['__proto__', 'constructor', 'prototype', 'hasOwnProperty', 'toString', 'valueOf', 'toJSON', 'then', 'length'],
  ...['__defineGetter__', 'constructor.prototype', '__proto__.polluted'],
].map(toTrick)

const PATHS: readonly Trick[] = [
  ...['.', '..', '../..', '..\\..', '..;', '/', '//', 'a/b', 'a;b=c', 'a?b=c', 'a#b', 'a&b=c', '%2e%2e', '%2f', '%00'],
  ...['%zz', '%c0%ae', '%u0027', '*', 'relationships', 'C:\\', 'file:///etc/passwd', '//evil.example/', '\\\\evil'],
].map(toTrick)

/** Every text once. */
export const TRICKS: readonly Trick[] = [...SQL, ...CONTROLS, ...UNICODE, ...NUMBERS, ...NAMES, ...PATHS]

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
