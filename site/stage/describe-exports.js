import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { Application, Converter, DeclarationReflection, PageEvent, ReflectionKind, RendererEvent } from 'typedoc'
import { ROOT, STAGE } from './paths.js'
import { TOPICS, topicOf } from './topics.js'

/** Module names by file of src/. */
const ENTRY_POINTS = { index: 'stemma', client: 'stemma/client', testing: 'stemma/testing', sqlite3: 'stemma/sqlite3' }

const MODULES = Object.values(ENTRY_POINTS)

const FOLDER = 'reference/api'

/** The exports of each topic, for the sidebar: `{ [topic]: [{ text, link }] }`. */
const EXPORTS = join(STAGE, 'exports.json')

/** Writes a page for each topic, with the docstrings of all exports of the public entry points. */
export async function describeExports() {
  const app = await Application.bootstrapWithPlugins({
    ...INPUT,
    ...PAGES,
    out: join(STAGE, FOLDER),
    plugin: ['typedoc-plugin-markdown'],
    logLevel: 'Error',
  })
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => groupByTopic(project))
  app.renderer.on(PageEvent.END, finishPage)
  app.renderer.on(RendererEvent.END, ({ project }) =>
    writeFileSync(EXPORTS, JSON.stringify(linksByTopic(app.renderer.router, project))),
  )
  const project = await app.convert()
  if (project === undefined) throw new Error('The sources could not be read.')
  await app.generateOutputs(project)
  // docs/reference/api.md lists the pages.
  rmSync(join(STAGE, FOLDER, 'index.md'))
  if (app.logger.hasErrors()) throw new Error('The docstrings could not be read.')
}

const INPUT = {
  basePath: ROOT,
  entryPoints: Object.keys(ENTRY_POINTS).map((name) => join(ROOT, 'src', `${name}.ts`)),
  tsconfig: join(ROOT, 'tsconfig.build.json'),
  // `npm run typecheck` does that.
  skipErrorChecking: true,
  excludePrivate: true,
  excludeExternals: true,
  readme: 'none',
  disableSources: true,
  disableGit: true,
}

const PAGES = {
  router: 'module',
  entryFileName: 'index',
  hidePageHeader: true,
  hideBreadcrumbs: true,
  hidePageTitle: true,
  hideGroupHeadings: true,
  groupOrder: ['Functions', 'Classes', 'Interfaces', 'Type Aliases', 'Variables'],
  useCustomAnchors: true,
  preserveAnchorCasing: true,
  useCodeBlocks: true,
  sanitizeComments: true,
  useHTMLEncodedBrackets: true,
  // In tables, the plugin writes HTML anchors, but pages must not contain HTML.
  parametersFormat: 'list',
  typeDeclarationFormat: 'list',
}

/** Replaces the module of each entry point by a module for each of its topics, because TypeDoc writes a page for each module. */
function groupByTopic(project) {
  const entries = [...project.children]
  const modules = new Map(TOPICS.map(({ name }) => [name, addModule(project, name)]))
  for (const entry of entries) {
    const module = ENTRY_POINTS[entry.name.replace(/^src\/?/, '') || 'index']
    for (const child of [...entry.children]) {
      const { name } = topicOf(module, child.name, sourceOf(child, project))
      entry.removeChild(child)
      child.parent = modules.get(name)
      child.parent.addChild(child)
    }
    project.removeReflection(entry)
  }
}

function addModule(project, name) {
  const module = new DeclarationReflection(name, ReflectionKind.Module, project)
  project.registerReflection(module, undefined, undefined)
  project.addChild(module)
  return module
}

/** Returns the file that declares an export, below src/. */
function sourceOf(reflection, project) {
  const { fileName } = project.getSymbolIdFromReflection(reflection)
  return relative(join(ROOT, 'src'), fileName).replaceAll('\\', '/')
}

/** Adds the title. Only exports are in the outline, because a page has up to 300 headings. */
function finishPage(page) {
  const topic = TOPICS.find(({ name }) => name === page.model.name)
  if (topic === undefined) return
  const title = titleOf(topic)
  const settings = JSON.stringify({ title, outline: [2, 2] })
  page.contents = `---\n${settings}\n---\n\n# ${title}\n\n${simplifyHeadings(page.contents).replace(CONSTRUCTOR_LINK, '$1')}`
}

/** Headings of constructors have no anchor. */
const CONSTRUCTOR_LINK = /\[(`constructor`)\]\(#constructor(?:-\d+)?\)/g

/** Above each export, which has a line above its heading anyway, and between members. */
const RULE = /^\*\*\*$/gm

/** Headings above members, which have headings themselves. */
const GROUPS = ['Properties', 'Methods']

/** Keeps the headings of exports and members, which have an anchor. Others, such as `Returns`, become bold, so that the search finds names only. */
function simplifyHeadings(text) {
  return text
    .split(/^(```.*?^```)$/ms)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(RULE, '').replace(/^##(#+) (.+)$/gm, simplifyHeading)))
    .join('')
}

function simplifyHeading(_heading, level, text) {
  if (GROUPS.includes(text)) return ''
  return text.endsWith('}') ? `#${level} ${text}` : `**${text}**`
}

function titleOf({ module, title }) {
  return module.endsWith(title) ? module : `${module}: ${title.toLowerCase()}`
}

function linksByTopic(router, project) {
  return Object.fromEntries(
    project.children.map(({ name, children }) => [
      name,
      children
        .map((child) => ({ text: child.name, link: `/${FOLDER}/${router.getFullUrl(child).replace('.md', '')}` }))
        .sort((one, other) => one.text.localeCompare(other.text, 'en')),
    ]),
  )
}

/** Returns links to all exports, which follow the hand-written page. */
export function exportsPage() {
  const links = readLinks()
  const sections = MODULES.map((module) => {
    const lines = TOPICS.filter((topic) => topic.module === module).map(
      ({ name, title }) =>
        `- [${title}](${linkTo(name)}.md): ${links[name].map(({ text, link }) => `[\`${text}\`](${link.replace('#', '.md#')})`).join(', ')}`,
    )
    return `### \`${module}\`\n\n${lines.join('\n')}\n`
  })
  return `\n## Every export\n\n${sections.join('\n')}`
}

/** Returns the sidebar items of that page: entry points, topics and exports. */
export function exportsSidebar() {
  const links = readLinks()
  return MODULES.map((module) => ({
    text: module,
    collapsed: true,
    items: TOPICS.filter((topic) => topic.module === module).map(({ name, title }) => ({
      text: title,
      link: linkTo(name),
      collapsed: true,
      items: links[name],
    })),
  }))
}

function readLinks() {
  return JSON.parse(readFileSync(EXPORTS, 'utf8'))
}

function linkTo(topic) {
  return `/${FOLDER}/${topic}`
}
