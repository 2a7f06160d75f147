import { formatTextTableLines } from '../api-summary/format-summary'
import {
  addCommandWithModuleArgument,
  addHelpExamples,
  type CliCommandResult,
  type DeclareCommand,
  EXIT_OK,
  type ModuleCommandOptions,
} from './command'
import { loadApiOrIssues, toCliResultOfLoadFailure } from './load-api'

interface RoutesOptions extends ModuleCommandOptions {
  readonly json?: true
}

export const declareRoutesCliCommand: DeclareCommand = (program, end) => {
  const command = addCommandWithModuleArgument(program, 'routes')
    .summary('list every method and URL')
    .description('Lists every method and URL that the API serves, with the resource type and what the request does.')
    .option('--json', 'print a JSON array')
    .action(async (module: string, options: RoutesOptions) => end(await listRoutes(module, options)))
  addHelpExamples(command, 'stemma routes dist/src/configuration.js')
}

async function listRoutes(module: string, options: RoutesOptions): Promise<CliCommandResult> {
  const loaded = await loadApiOrIssues(module, options.export)
  if (loaded.kind !== 'api') return toCliResultOfLoadFailure(loaded)
  const { endpoints } = loaded.api.summary()
  const rows = endpoints.map(({ method, path, type = '', description }) => [method, path, type, description])
  return {
    exitCode: EXIT_OK,
    output: options.json === true ? [JSON.stringify(endpoints, null, 2)] : formatTextTableLines(rows),
  }
}
