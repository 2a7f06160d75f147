import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, relative, resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { askForProject } from './ask-for-project'
import {
  addHelpExamples,
  type CliCommandResult,
  type DeclareCommand,
  EXIT_FAILURE,
  EXIT_OK,
  EXIT_USAGE,
} from './command'
import { runNpmInstallInFolder } from './run-npm-install-in-folder'
import { FRAMEWORKS, type NewProjectOptions, SCAFFOLD_DATABASES, TEST_RUNNERS, writeProject } from './write-project'

interface InitOptions extends Omit<NewProjectOptions, 'name' | 'auth' | 'migrations'> {
  readonly name?: string
  readonly auth?: boolean
  readonly migrations?: boolean
  readonly install: boolean
}

export const declareInitCliCommand: DeclareCommand = (program, end, ask) => {
  const command = program
    .command('init')
    .summary('create a working project')
    .description(
      'Creates a project that runs: a hierarchy, a rule and tests. Installs its packages with npm. Asks for its parts if no option names one and the terminal is interactive.',
    )
    .argument('[folder]', 'a new or empty folder', '.')
    .option('--name <name>', 'the name of the package (default: the name of the folder)')
    .addOption(chooseFrom('--database <database>', 'where rows are stored', SCAFFOLD_DATABASES))
    .addOption(chooseFrom('--tests <runner>', 'what runs the tests, which use supertest', TEST_RUNNERS))
    .addOption(chooseFrom('--framework <framework>', 'what the API is part of', FRAMEWORKS))
    .option('--auth', 'bearer tokens, and rules that use them')
    .option('--migrations', 'tables that change by migrations only')
    .option('--no-install', 'only write files')
    .option('-y, --yes', 'ask nothing')
    .action(async (folder: string, { name = basename(resolve(folder)), install, ...options }: InitOptions) => {
      const obstacle = checkName(name) ?? checkFolder(resolve(folder))
      if (obstacle !== undefined) return end(obstacle)
      const answers = ask === undefined || namesParts(command) ? {} : await askForProject(ask)
      const [path, project] = [resolve(folder), { auth: false, migrations: false, ...options, ...answers, name }]
      writeProject(path, project)
      if (!install) return end({ exitCode: EXIT_OK, output: listNextSteps(path, project, false) })
      end({ exitCode: EXIT_OK, output: [`npm installs the packages of ${name}, which takes a minute or two.`] })
      end(installAndListNextSteps(path, project))
    })
  addHelpExamples(
    command,
    'stemma init library',
    'stemma init library --database postgres --migrations --auth',
    'stemma init . --name @people/api --framework nestjs --tests vitest',
  )
}

function chooseFrom(flags: string, description: string, choices: readonly [string, ...string[]]): Option {
  return new Option(flags, description).choices(choices).default(choices[0])
}

/** Returns true if an option on the command line says what the project is made of, or if `--yes` forbids to ask. */
function namesParts(command: Command): boolean {
  return command.options
    .map((option) => option.attributeName())
    .some((name) => name !== 'name' && name !== 'install' && command.getOptionValueSource(name) === 'cli')
}

/** Returns the next steps, or the error of npm before them. */
function installAndListNextSteps(folder: string, options: NewProjectOptions): CliCommandResult {
  const isInstalled = runNpmInstallInFolder(folder)
  const output = listNextSteps(folder, options, isInstalled)
  if (isInstalled) return { exitCode: EXIT_OK, output }
  const message = `The packages of ${options.name} are not installed, because npm install failed in ${folder}. Run it there again.`
  return { exitCode: EXIT_FAILURE, output, errors: [message] }
}

function checkName(name: string): CliCommandResult | undefined {
  if (isPackageName(name)) return undefined
  const message = `'${name}' is not a valid package name. Use lowercase letters, digits and hyphens: --name my-api`
  return { exitCode: EXIT_USAGE, errors: [message] }
}

/** https://docs.npmjs.com/cli/configuring-npm/package-json#name */
function isPackageName(name: string): boolean {
  return name.length <= 214 && /^(?:@[a-z0-9-][a-z0-9._-]*\/)?[a-z0-9-][a-z0-9._-]*$/.test(name)
}

function checkFolder(folder: string): CliCommandResult | undefined {
  const obstacle = findObstacle(folder)
  return obstacle === undefined ? undefined : { exitCode: EXIT_FAILURE, errors: [obstacle] }
}

/** Returns why the project cannot be written to the folder. A Git repository without files counts as empty. */
function findObstacle(folder: string): string | undefined {
  if (!existsSync(folder)) return undefined
  if (!statSync(folder).isDirectory()) return `${folder} is a file. Choose a new or empty folder.`
  const files = readdirSync(folder).filter((file) => file !== '.git')
  if (files.length === 0) return undefined
  const fileNames = files.slice(0, 3).join(', ')
  return `${folder} is not empty: it has ${fileNames}${files.length > 3 ? ', …' : ''}. Choose a new or empty folder.`
}

function listNextSteps(folder: string, { name, database }: NewProjectOptions, isInstalled: boolean): readonly string[] {
  const path = relative('', folder)
  const steps = [
    ...(path === '' ? [] : [`cd ${/^[\w./-]+$/.test(path) ? path : JSON.stringify(path)}`]),
    ...(isInstalled ? [] : ['npm install']),
    ...(database === 'sqlite' ? [] : ['docker compose up -d --wait    # or set DATABASE_URL']),
    ...['npm test', 'npm start'],
  ]
  return [`${name} is in ${folder}. Next:`, ...steps.map((step) => `    ${step}`)]
}
