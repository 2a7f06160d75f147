import type { ConfigurationIssue } from '../errors/configuration-error'
import { isModuleNotFound } from '../errors/is-module-not-found'
import type { JsonApi, JsonApiOptions } from '../express/create-json-api'
import { type CliCommandResult, EXIT_FAILURE, EXIT_USAGE } from './command'
import { formatConfigurationIssueLines } from './format-configuration-report'
import { isJsonApiOptions, loadExportOrErrorMessage } from './load-export'

/** The API of a module, or why there is none. */
type ApiLoadResult =
  | { readonly kind: 'api'; readonly api: JsonApi }
  | { readonly kind: 'invalid'; readonly issues: readonly ConfigurationIssue[] }
  | { readonly kind: 'unusable'; readonly message: string }

type CreateApi = (configuration: JsonApiOptions) => Promise<JsonApi>

/** Loads the API that a module exports, or creates it from the configuration that it exports. */
export async function loadApiOrIssues(
  module: string,
  exportName: string | undefined,
  create: CreateApi = (configuration) => requireCreateOfflineApiModule().createOfflineApi(configuration),
): Promise<ApiLoadResult> {
  try {
    const exported = await loadExportOrErrorMessage(module, exportName)
    if (typeof exported === 'string') return { kind: 'unusable', message: exported }
    return { kind: 'api', api: isJsonApiOptions(exported) ? await create(exported) : exported }
  } catch (error) {
    const issues = issuesOf(error)
    if (issues !== undefined) return { kind: 'invalid', issues }
    return { kind: 'unusable', message: `${module} can't be used: ${textOf(error)}` }
  }
}

/** Loads the library on demand: it takes a while, and its dependencies may not be installed before `init` has run. */
export function requireCreateOfflineApiModule() {
  return require('../express/create-offline-api') as typeof import('../express/create-offline-api')
}

/** The result of a command that needs an API, and has none. */
export function toCliResultOfLoadFailure(loaded: Exclude<ApiLoadResult, { kind: 'api' }>): CliCommandResult {
  if (loaded.kind === 'unusable') return { exitCode: EXIT_USAGE, errors: [loaded.message] }
  return { exitCode: EXIT_FAILURE, errors: formatConfigurationIssueLines(loaded.issues) }
}

/** Recognizes the error by its name, since the module may load another copy of the library. */
function issuesOf(error: unknown): readonly ConfigurationIssue[] | undefined {
  if (!(error instanceof Error) || error.name !== 'ConfigurationError' || !('issues' in error)) return undefined
  return error.issues as readonly ConfigurationIssue[]
}

/** Returns the error with its stack. That of a missing module would only name files of Node.js. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return isModuleNotFound(error) ? error.message : (error.stack ?? error.message)
}
