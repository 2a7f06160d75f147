import { writeFileSync } from 'node:fs'
import { formatCount } from '../api-summary/format-summary'
import {
  addCommandWithModuleArgument,
  addHelpExamples,
  type CliCommandResult,
  type DeclareCommand,
  EXIT_FAILURE,
  EXIT_OK,
  type ModuleCommandOptions,
} from './command'
import { loadApiOrIssues, toCliResultOfLoadFailure } from './load-api'

interface OpenApiOutputOptions extends ModuleCommandOptions {
  readonly out?: string
}

export const declareOpenApiCliCommand: DeclareCommand = (program, end) => {
  const command = addCommandWithModuleArgument(program, 'openapi')
    .summary('write the OpenAPI document')
    .description(
      'Writes the OpenAPI document of the API, for code generators and reviews. Needs no server and no database.',
    )
    .option('--out <file>', 'the file to write (default: standard output)')
    .action(async (module: string, options: OpenApiOutputOptions) => end(await writeOpenApi(module, options)))
  addHelpExamples(command, 'stemma openapi dist/src/configuration.js --out openapi.json')
}

async function writeOpenApi(module: string, options: OpenApiOutputOptions): Promise<CliCommandResult> {
  const loaded = await loadApiOrIssues(module, options.export)
  if (loaded.kind !== 'api') return toCliResultOfLoadFailure(loaded)
  const document = loaded.api.openApi()
  const text = JSON.stringify(document, null, 2)
  if (options.out === undefined) return { exitCode: EXIT_OK, output: [text] }
  try {
    writeFileSync(options.out, `${text}\n`)
  } catch (error) {
    return { exitCode: EXIT_FAILURE, errors: [`The document can't be written: ${String(error)}`] }
  }
  const paths = formatCount(Object.keys(document.paths).length, 'path')
  return { exitCode: EXIT_OK, output: [`${options.out}: OpenAPI ${document.openapi}, ${paths}`] }
}
