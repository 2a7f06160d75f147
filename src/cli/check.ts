import type { ConfigurationIssue } from '../errors/configuration-error'
import type { JsonApi } from '../express/create-json-api'
import {
  addCommandWithModuleArgument,
  addHelpExamples,
  type CliCommandResult,
  type DeclareCommand,
  EXIT_FAILURE,
  EXIT_OK,
  type ModuleCommandOptions,
} from './command'
import {
  type ConfigurationReport,
  formatConfigurationReportAsJson,
  formatConfigurationReportLines,
} from './format-configuration-report'
import { loadApiOrIssues, toCliResultOfLoadFailure } from './load-api'

interface CheckOptions extends ModuleCommandOptions {
  readonly strict?: true
  readonly json?: true
}

export const declareCheckCliCommand: DeclareCommand = (program, end) => {
  const command = addCommandWithModuleArgument(program, 'check')
    .summary('find mistakes in a configuration before it runs')
    .description(
      'Finds mistakes in a configuration before it runs. Prints types with their rules, missing indexes, warnings and issues. Needs no database.',
    )
    .option('--strict', 'exit with 1 for warnings too, including missing indexes')
    .option('--json', 'print one JSON object')
    .action(async (module: string, options: CheckOptions) => end(await checkModule(module, options)))
  addHelpExamples(command, 'stemma check dist/src/configuration.js', 'stemma check dist/src/configuration.js --strict')
}

/** Builds the API that a module configures, and prints its summary and its issues. With `--strict`, warnings count as issues. */
async function checkModule(module: string, options: CheckOptions): Promise<CliCommandResult> {
  const loaded = await loadApiOrIssues(module, options.export)
  if (loaded.kind === 'unusable') return toCliResultOfLoadFailure(loaded)
  const report = loaded.kind === 'invalid' ? { issues: loaded.issues } : toReport(loaded.api)
  return {
    exitCode: isOk(report, options.strict === true ? 'strict' : 'lenient') ? EXIT_OK : EXIT_FAILURE,
    output: options.json === true ? [formatConfigurationReportAsJson(report)] : formatConfigurationReportLines(report),
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
