import { cpSync, existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'
import {
  addHelpExamples,
  type CliCommandResult,
  type DeclareCommand,
  EXIT_FAILURE,
  EXIT_OK,
  EXIT_USAGE,
} from './command'

/** The project template, next to `dist` in the package. */
const TEMPLATE = join(__dirname, '..', '..', 'templates', 'project')

export const declareInitCommand: DeclareCommand = (program, end) => {
  const command = program
    .command('init')
    .summary('create a working project')
    .description('Creates a project that runs: a hierarchy, a rule and a test, with TypeScript, Express and SQLite.')
    .argument('[folder]', 'a new or empty folder', '.')
    .option('--name <name>', 'the name of the package (default: the name of the folder)')
    .action((folder: string, { name }: { readonly name?: string }) => end(writeStarterProject(resolve(folder), name)))
  addHelpExamples(command, 'stemma init library', 'stemma init . --name @people/api')
}

/** Writes a project. Does not write into a folder that contains files. */
function writeStarterProject(folder: string, name = basename(folder)): CliCommandResult {
  if (!isPackageName(name)) {
    const message = `'${name}' is not a valid package name. Use lowercase letters, digits and hyphens: --name my-api`
    return { exitCode: EXIT_USAGE, errors: [message] }
  }
  const obstacle = findObstacle(folder)
  if (obstacle !== undefined) return { exitCode: EXIT_FAILURE, errors: [obstacle] }
  writeFiles(folder, name)
  return { exitCode: EXIT_OK, output: nextSteps(folder, name) }
}

/** https://docs.npmjs.com/cli/configuring-npm/package-json#name */
function isPackageName(name: string): boolean {
  return name.length <= 214 && /^(?:@[a-z0-9-][a-z0-9._-]*\/)?[a-z0-9-][a-z0-9._-]*$/.test(name)
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

function writeFiles(folder: string, name: string): void {
  cpSync(TEMPLATE, folder, { recursive: true })
  // npm does not pack files named `.gitignore`.
  renameSync(join(folder, 'gitignore'), join(folder, '.gitignore'))
  const file = join(folder, 'package.json')
  const description = JSON.parse(readFileSync(file, 'utf8')) as object
  writeFileSync(file, `${JSON.stringify({ ...description, name }, null, 2)}\n`)
}

function nextSteps(folder: string, name: string): readonly string[] {
  const path = relative('', folder)
  const steps = ['npm install', 'npm test', 'npm start']
  return [
    `${name} is in ${folder}. Next:`,
    ...(path === '' ? steps : [`cd ${/^[\w./-]+$/.test(path) ? path : JSON.stringify(path)}`, ...steps]).map(
      (step) => `    ${step}`,
    ),
  ]
}
