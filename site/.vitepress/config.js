import { defineConfig } from 'vitepress'
import { exportsSidebar } from '../stage/describe-exports.js'
import { sidebar, topNavigation } from '../stage/navigation.js'
import { OUTPUT, STAGE } from '../stage/paths.js'

/**
 * The colors of the code theme, with the names of their variables in theme/style.css. The dark theme of the same name assigns its colors to
 * the same tokens: code is highlighted once, and not once for each theme.
 */
const COLORS = {
  '#66707b': 'comment',
  '#a0111f': 'keyword',
  '#023b95': 'constant',
  '#702c00': 'variable',
  '#0e1116': 'text',
  '#622cbc': 'function',
  '#024c1a': 'property',
  '#032563': 'string',
  '#6e011a': 'invalid',
}

export default defineConfig({
  srcDir: STAGE,
  outDir: OUTPUT,
  // The Markdown of the pages, for programs.
  srcExclude: ['public/**'],
  cacheDir: `${STAGE}-cache`,
  // The path of the site on its host, such as /stemma/.
  base: process.env.DOCS_BASE ?? '/',
  // The data of the whole site in one file, and not in each page.
  metaChunk: true,
  lang: 'en',
  title: 'stemma',
  description: 'JSON:API for Express on TypeORM, with resource types that form hierarchies.',
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  markdown: {
    // The same anchors as on code hosts, so that links to headings work on both.
    anchor: { slugify: toAnchor },
    html: false,
    config: drawDiagrams,
    theme: 'github-light-high-contrast',
    codeTransformers: [{ name: 'colors', tokens: mergeTokens, span: replaceColor }],
  },
  themeConfig: {
    nav: topNavigation(),
    // Only pages of exports list the exports in the sidebar, because there are as many as all other pages.
    sidebar: { '/': sidebar(), '/reference/api': sidebar({ 'docs/reference/api.md': exportsSidebar() }) },
    outline: { level: [2, 3] },
    search: { provider: 'local', options: { _render: renderForSearch } },
    footer: { message: 'MIT licensed' },
  },
})

/** Merges tokens of the same style, so that pages have fewer elements. */
function mergeTokens(lines) {
  return lines.map((line) => {
    const merged = []
    for (const token of line) {
      const last = merged.at(-1)
      if (last !== undefined && last.color === token.color && last.fontStyle === token.fontStyle)
        last.content += token.content
      else merged.push({ ...token })
    }
    return merged
  })
}

function replaceColor({ properties }) {
  properties.style = properties.style?.replace(/#[\da-f]{6}/i, (color) => {
    const name = COLORS[color.toLowerCase()]
    if (name === undefined)
      throw new Error(`The code theme uses ${color}, which site/.vitepress/config.js does not name.`)
    return `var(--code-${name})`
  })
}

/** The search index holds text without markup, so code is not highlighted for it. */
function renderForSearch(text, page, markdown) {
  const { highlight } = markdown.options
  markdown.options.highlight = null
  const html = markdown.render(text, page)
  markdown.options.highlight = highlight
  return page.frontmatter?.search === false ? '' : html
}

/** Draws fences of the language `mermaid`, as code hosts do. */
function drawDiagrams(markdown) {
  const { fence } = markdown.renderer.rules
  markdown.renderer.rules.fence = (tokens, index, ...rest) => {
    const { info, content } = tokens[index]
    if (info !== 'mermaid') return fence(tokens, index, ...rest)
    return `<Diagram text="${encodeURIComponent(content)}" />`
  }
}

/** Converts to lower case, replaces spaces by hyphens, and removes characters other than letters, digits, hyphens and `_`. */
function toAnchor(heading) {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
}
