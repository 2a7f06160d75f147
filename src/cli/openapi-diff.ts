import { readFileSync } from 'node:fs'
import { isJsonObject, type JsonObject } from '../document/json'
import { diffOpenApi } from '../openapi/compare-descriptions'
import { EXIT_FAILURE, EXIT_OK, EXIT_USAGE } from './command'

/** Prints the differences between two documents, breaking changes first. */
export function compareFiles(words: readonly string[], print: (line: string) => void): number {
  const [older, newer, stray] = words
  if (older === undefined || newer === undefined || stray !== undefined) {
    print('Expected two files: stemma openapi-diff OLDER.json NEWER.json')
    return EXIT_USAGE
  }
  const before = readDocument(older)
  const now = readDocument(newer)
  if (typeof before !== 'string' && typeof now !== 'string') return printChanges(diffOpenApi(before, now), print)
  for (const mistake of [before, now]) if (typeof mistake === 'string') print(mistake)
  return EXIT_USAGE
}

/** Returns the document, or an error message. */
function readDocument(file: string): JsonObject | string {
  try {
    const document: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return isJsonObject(document) && isJsonObject(document.paths) ? document : `${file} is not an OpenAPI document.`
  } catch (error) {
    return `${file} can't be read: ${error instanceof Error ? error.message : String(error)}`
  }
}

function printChanges(changes: ReturnType<typeof diffOpenApi>, print: (line: string) => void): number {
  const breaking = changes.filter(({ impact }) => impact === 'breaking')
  const others = changes.filter(({ impact }) => impact === 'compatible')
  for (const { impact, location, change } of [...breaking, ...others]) print(`${impact}: ${location} ${change}`)
  print(`${breaking.length} breaking, ${others.length} compatible`)
  return breaking.length === 0 ? EXIT_OK : EXIT_FAILURE
}
