import type { JsonApi } from '../express/create-json-api'
import { getFromTemporaryServer } from '../express/get-from-temporary-server'
import { isOpenApiPath, OPEN_API_PATH } from '../request/intent/routes'
import {
  addCommandWithModuleArgument,
  addHelpExamples,
  type CliCommandResult,
  type DeclareCommand,
  EXIT_FAILURE,
  EXIT_OK,
  EXIT_USAGE,
  type ModuleCommandOptions,
} from './command'
import { type ExplainedReadStep, formatExplanationLines } from './format-explanation'
import { loadApiOrIssues, requireCreateOfflineApiModule, toCliResultOfLoadFailure } from './load-api'

interface ExplainOptions extends ModuleCommandOptions {
  readonly header?: readonly string[]
  readonly json?: true
}

export const declareExplainCliCommand: DeclareCommand = (program, end) => {
  const command = addCommandWithModuleArgument(program, 'explain')
    .summary('show the plan and the SQL of a read')
    .description(
      'Shows the plan and the SQL of a read, with its cost, your rules included. Reads only the source of a related URL, /type/id/relationship, and what `context` reads.',
    )
    .argument('<url>', 'the URL, relative to the API, in quotes')
    .option('--header <header>', "a header for the option `context`, as 'name: value'; may be repeated", addValue)
    .option('--json', 'print one JSON array')
    .action(async (module: string, url: string, options: ExplainOptions) => end(await explain(module, url, options)))
  addHelpExamples(
    command,
    "stemma explain dist/src/configuration.js '/books?include=author&sort=-pages'",
    "stemma explain dist/src/configuration.js /books/1/author --header 'authorization: Bearer abc'",
  )
}

function addValue(value: string, values: readonly string[] = []): readonly string[] {
  return [...values, value]
}

async function explain(module: string, url: string, options: ExplainOptions): Promise<CliCommandResult> {
  const headers = toHeaders(options.header ?? [])
  if (typeof headers === 'string') return { exitCode: EXIT_USAGE, errors: [headers] }
  if (!url.startsWith('/')) {
    const message = `Expected a URL relative to the API, as '/books?sort=title', found '${url}'.`
    return { exitCode: EXIT_USAGE, errors: [message] }
  }
  if (isOpenApiPath(url.replace(/\?.*/s, ''))) return { exitCode: EXIT_FAILURE, errors: [NO_RESOURCES] }
  let close = async () => {}
  const loaded = await loadApiOrIssues(module, options.export, (configuration) => {
    const { createExplainingApi, closeExplainingApi } = requireCreateOfflineApiModule()
    close = () => closeExplainingApi(configuration)
    return createExplainingApi(configuration, isRelated(url) ? 'connected' : 'offline')
  })
  if (loaded.kind !== 'api') {
    // What has failed can be the data source itself, and its error says more than one of closing it.
    await close().catch(() => {})
    return toCliResultOfLoadFailure(loaded)
  }
  const explained = await fetchExplanation(loaded.api, url, headers).finally(close)
  if (explained.kind === 'refused') return { exitCode: EXIT_FAILURE, errors: explained.messages }
  const { steps } = explained
  const output = options.json === true ? [JSON.stringify(steps, null, 2)] : formatExplanationLines(steps)
  return { exitCode: EXIT_OK, output }
}

/** Returns headers from texts as `name: value`, or an error message. */
function toHeaders(texts: readonly string[]): Headers | string {
  const headers = new Headers()
  for (const text of texts) {
    const [, name = '', value = ''] = /^([^:]*):(.*)$/.exec(text) ?? []
    try {
      headers.append(name, value)
    } catch {
      return `Expected a header as 'name: value', found '${text}'.`
    }
  }
  return headers
}

/** Returns true for `/type/id/relationship` and longer paths, whose plan depends on a row. */
function isRelated(url: string): boolean {
  return /^\/[^/?]+\/[^/?]+\/[^/?]/.test(url)
}

/** The document of a response with `explainRead`. */
interface ExplainDocument {
  readonly meta?: { readonly explained?: readonly ExplainedReadStep[] }
  readonly errors?: readonly {
    readonly status: string
    readonly title: string
    readonly detail?: string
    readonly source?: { readonly parameter?: string }
  }[]
}

type Explanation =
  | { readonly kind: 'explained'; readonly steps: readonly ExplainedReadStep[] }
  | { readonly kind: 'refused'; readonly messages: readonly string[] }

async function fetchExplanation(api: JsonApi, url: string, headers: Headers): Promise<Explanation> {
  // With `accept: text/html` the explorer would answer.
  headers.delete('accept')
  const response = await getFromTemporaryServer(api, `${url}${url.includes('?') ? '&' : '?'}explainRead=true`, headers)
  const { meta, errors = [] } = (await response.json()) as ExplainDocument
  if (meta?.explained !== undefined) return { kind: 'explained', steps: meta.explained }
  const isOff = errors.length === 0 || errors.some(({ source }) => source?.parameter === 'explainRead')
  if (isOff) return { kind: 'refused', messages: [EXPLAIN_IS_OFF] }
  return { kind: 'refused', messages: errors.map(({ status, title, detail = '' }) => `${status} ${title} ${detail}`) }
}

const NO_RESOURCES = `Only reads of resources have a plan. ${OPEN_API_PATH} has none.`
const EXPLAIN_IS_OFF = "The exported API doesn't explain reads. Export its options, or set `explain: 'development'`."
