import type { ConfigurationIssue } from '../errors/configuration-error'
import type { JsonApi } from '../express/create-json-api'
import { createOfflineApi } from '../express/create-offline-api'
import { type CommandHandler, EXIT_FAILURE, EXIT_OK, EXIT_USAGE, parseArguments } from './command'
import { type ConfigurationReport, formatReport, formatReportAsJson } from './format-report'
import { isConfiguration, loadExport } from './load-export'

/** Builds the API that a module configures, and prints its summary and its issues. With `--strict`, warnings count as issues. */
export const checkModule: CommandHandler = async (args, print) => {
  const parsed = parseArguments(args, {
    export: { type: 'string' },
    strict: { type: 'boolean' },
    json: { type: 'boolean' },
  })
  if (typeof parsed === 'string' || parsed.names.length !== 1) {
    print(
      typeof parsed === 'string'
        ? parsed
        : 'Expected one module: stemma check MODULE [--export NAME] [--strict] [--json]',
    )
    return EXIT_USAGE
  }
  const {
    names: [module = ''],
    values,
  } = parsed
  const report = await reportOn(module, values.export)
  if (typeof report === 'string') {
    print(report)
    return EXIT_USAGE
  }
  for (const line of values.json === true ? [formatReportAsJson(report)] : formatReport(report)) print(line)
  return isOk(report, values.strict === true ? 'strict' : 'lenient') ? EXIT_OK : EXIT_FAILURE
}

/** Returns the report, or why the module cannot be checked. */
async function reportOn(module: string, name: string | undefined): Promise<ConfigurationReport | string> {
  try {
    const exported = await loadExport(module, name)
    if (typeof exported === 'string') return exported
    return toReport(isConfiguration(exported) ? await createOfflineApi(exported) : exported)
  } catch (error) {
    const issues = issuesOf(error)
    return issues === undefined ? `${module} can't be checked: ${textOf(error)}` : { issues }
  }
}

function toReport(api: JsonApi): ConfigurationReport {
  const summary = api.summary()
  const issues = summary.types.length === 0 ? [NOTHING_SERVED] : []
  return { issues, summary, indexes: api.indexes }
}

const NOTHING_SERVED: ConfigurationIssue = {
  location: 'createJsonApi',
  message: 'its list of resources is empty, so the API serves nothing.',
  remedy: 'Add the classes with @Resource.',
}

function isOk({ issues, summary }: ConfigurationReport, mode: 'strict' | 'lenient'): boolean {
  return issues.length === 0 && (mode === 'lenient' || summary?.warnings.length === 0)
}

/** Recognizes the error by its name, since the module may load another copy of the library. */
function issuesOf(error: unknown): readonly ConfigurationIssue[] | undefined {
  if (!(error instanceof Error) || error.name !== 'ConfigurationError' || !('issues' in error)) return undefined
  return error.issues as readonly ConfigurationIssue[]
}

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
