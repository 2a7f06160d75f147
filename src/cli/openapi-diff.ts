import { readFileSync } from 'node:fs'
import { isJsonObject, type JsonObject } from '../document/json'
import { compareOpenApi } from '../openapi/compare-descriptions'
import { FAILED, FINE, MISUSED } from './command'

/** Prints what differs between two documents, what breaks clients first. */
export function compareFiles(words: readonly string[], print: (line: string) => void): number {
  const [older, newer, stray] = words
  if (older === undefined || newer === undefined || stray !== undefined) {
    print('Expected two files: stemma openapi-diff OLDER.json NEWER.json')
    return MISUSED
  }
  const before = readDocument(older)
  const now = readDocument(newer)
  if (typeof before !== 'string' && typeof now !== 'string') return printChanges(compareOpenApi(before, now), print)
  for (const mistake of [before, now]) if (typeof mistake === 'string') print(mistake)
  return MISUSED
}

/** The document, or what is wrong. */
function readDocument(file: string): JsonObject | string {
  try {
    const document: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return isJsonObject(document) && isJsonObject(document.paths) ? document : `${file} is no OpenAPI document.`
  } catch (error) {
    return `${file} can't be read: ${error instanceof Error ? error.message : String(error)}`
  }
}

function printChanges(changes: ReturnType<typeof compareOpenApi>, print: (line: string) => void): number {
  const breaking = changes.filter(({ effect }) => effect === 'breaking')
  const others = changes.filter(({ effect }) => effect === 'compatible')
  for (const { effect, at, change } of [...breaking, ...others]) print(`${effect}: ${at} ${change}`)
  print(`${breaking.length} breaking, ${others.length} compatible`)
  return breaking.length === 0 ? FINE : FAILED
}
