import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Application } from 'typedoc'
import { ROOT, STAGE } from './paths.js'

/** Module names by file of src/. */
const ENTRY_POINTS = { index: 'stemma', client: 'stemma/client', testing: 'stemma/testing', sqlite3: 'stemma/sqlite3' }

const MODULES = Object.values(ENTRY_POINTS)

const FOLDER = 'reference/api'

/** Writes a page for each export of the public entry points, from its docstring. */
export async function describeExports() {
  const app = await Application.bootstrapWithPlugins({
    ...INPUT,
    ...PAGES,
    out: join(STAGE, FOLDER),
    plugin: ['typedoc-plugin-markdown'],
    logLevel: 'Error',
  })
  const project = await app.convert()
  if (project === undefined) throw new Error('The sources could not be read.')
  for (const module of project.children) module.name = ENTRY_POINTS[module.name.replace(/^src\/?/, '') || 'index']
  await app.generateOutputs(project)
  // docs/reference/api.md lists the modules.
  rmSync(join(STAGE, FOLDER, 'index.md'))
  if (app.logger.hasErrors()) throw new Error('The docstrings could not be read.')
}

const INPUT = {
  basePath: ROOT,
  entryPoints: Object.keys(ENTRY_POINTS).map((name) => join(ROOT, 'src', `${name}.ts`)),
  tsconfig: join(ROOT, 'tsconfig.build.json'),
  excludePrivate: true,
  excludeExternals: true,
  readme: 'none',
  disableSources: true,
  disableGit: true,
}

const PAGES = {
  router: 'member',
  entryFileName: 'index',
  hidePageHeader: true,
  hideBreadcrumbs: true,
  useCodeBlocks: true,
  sanitizeComments: true,
  useHTMLEncodedBrackets: true,
  // In tables, the plugin writes HTML anchors, but pages must not contain HTML.
  parametersFormat: 'list',
  typeDeclarationFormat: 'list',
}

/** Returns links to all modules, which follow the hand-written page. */
export function exportsPage() {
  const lines = MODULES.map((name) => `- [\`${name}\`](${linkTo(name)}index.md)`)
  return `\n## Every export\n\n${lines.join('\n')}\n`
}

/** Returns the sidebar items of that page: modules and their exports. */
export function exportsSidebar() {
  return MODULES.map((name) => ({ text: name, link: linkTo(name), collapsed: true, items: exportsOf(name) }))
}

function exportsOf(module) {
  const folder = join(STAGE, FOLDER, module)
  const kinds = readdirSync(folder).filter(
    (kind) => statSync(join(folder, kind)).isDirectory() && !isModule(`${module}/${kind}`),
  )
  return kinds
    .flatMap((kind) => readdirSync(join(folder, kind)).map((file) => ({ kind, name: file.replace(/\.md$/, '') })))
    .sort((one, other) => one.name.localeCompare(other.name, 'en'))
    .map(({ kind, name }) => ({ text: name, link: `${linkTo(module)}${kind}/${name}` }))
}

function isModule(name) {
  return MODULES.includes(name)
}

function linkTo(module) {
  return `/${FOLDER}/${module}/`
}
