/** Code that is printed as it is, within an object. */
export class RawCode {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

const LINE = 90

/** Prints a value as JavaScript: on one line if it is short. Members that are `undefined` are left out. */
export function printJavaScriptValue(value: unknown, indent = ''): string {
  const line = printOnLine(value)
  if (line.length + indent.length <= LINE && !line.includes('\n')) return line
  const inner = `${indent}  `
  if (value instanceof RawCode) return value.text.replaceAll('\n', `\n${indent}`)
  if (Array.isArray(value)) {
    return `[\n${value.map((each) => `${inner}${printJavaScriptValue(each, inner)},\n`).join('')}${indent}]`
  }
  if (typeof value !== 'object' || value === null) return line
  return `{\n${membersOf(value)
    .map(([name, each]) => `${inner}${printName(name)}: ${printJavaScriptValue(each, inner)},\n`)
    .join('')}${indent}}`
}

function printOnLine(value: unknown): string {
  if (value instanceof RawCode) return value.text
  if (typeof value === 'string') return printJavaScriptString(value)
  if (Array.isArray(value)) return `[${value.map(printOnLine).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const members = membersOf(value).map(([name, each]) => `${printName(name)}: ${printOnLine(each)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

function membersOf(value: object): readonly (readonly [string, unknown])[] {
  return Object.entries(value).filter(([, each]) => each !== undefined)
}

function printName(name: string): string {
  return /^[\p{L}_$][\p{L}\d_$]*$/u.test(name) ? name : printJavaScriptString(name)
}

/** `it's` -> `'it\'s'` */
export function printJavaScriptString(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")
  return `'${inner}'`
}
