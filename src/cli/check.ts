import type { ConfigurationProblem } from '../errors/configuration-error'
import type { JsonApi } from '../express/create-json-api'
import { makeUnconnected } from '../express/make-unconnected'
import { type Command, FAILED, FINE, MISUSED } from './command'
import { isConfiguration, loadExport } from './load-export'
import { parseWords } from './parse-words'
import { type CheckReport, printReport, toJson } from './print-report'

/** Makes the API that a module configures, tells what it would serve, and what is wrong. Whoever wants no warnings either says `--strict`. */
export const checkModule: Command = async (words, print) => {
  const said = parseWords(words, { export: { type: 'string' }, strict: { type: 'boolean' }, json: { type: 'boolean' } })
  if (typeof said === 'string' || said.names.length !== 1) {
    print(
      typeof said === 'string' ? said : 'Expected one module: stemma check MODULE [--export NAME] [--strict] [--json]',
    )
    return MISUSED
  }
  const {
    names: [module = ''],
    values,
  } = said
  const report = await reportOn(module, values.export)
  if (typeof report === 'string') {
    print(report)
    return MISUSED
  }
  for (const line of values.json === true ? [toJson(report)] : printReport(report)) print(line)
  return isFine(report, values.strict === true ? 'strict' : 'lenient') ? FINE : FAILED
}

/** What is found, or why nothing can be found. */
async function reportOn(module: string, name: string | undefined): Promise<CheckReport | string> {
  try {
    const exported = await loadExport(module, name)
    if (typeof exported === 'string') return exported
    return toReport(isConfiguration(exported) ? await makeUnconnected(exported) : exported)
  } catch (error) {
    const problems = problemsOf(error)
    return problems === undefined ? `${module} can't be checked: ${textOf(error)}` : { problems }
  }
}

function toReport(api: JsonApi): CheckReport {
  const overview = api.overview()
  const problems = overview.types.length === 0 ? [NOTHING_SERVED] : []
  return { problems, overview, indexes: api.indexes }
}

const NOTHING_SERVED: ConfigurationProblem = {
  at: 'createJsonApi',
  problem: 'its resources are empty, so nothing is served.',
  remedy: 'Put the classes with @Resource into them.',
}

function isFine({ problems, overview }: CheckReport, mode: 'strict' | 'lenient'): boolean {
  return problems.length === 0 && (mode === 'lenient' || overview?.warnings.length === 0)
}

/** Told by its name: the module may have another copy of the library. */
function problemsOf(error: unknown): readonly ConfigurationProblem[] | undefined {
  if (!(error instanceof Error) || error.name !== 'ConfigurationError' || !('problems' in error)) return undefined
  return error.problems as readonly ConfigurationProblem[]
}

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
