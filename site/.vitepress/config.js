import { defineConfig } from 'vitepress'
import { exportsSidebar } from '../stage/describe-exports.js'
import { sidebar, topNavigation } from '../stage/navigation.js'
import { OUTPUT, STAGE } from '../stage/paths.js'

export default defineConfig({
  srcDir: STAGE,
  outDir: OUTPUT,
  // The Markdown of the pages, for programs.
  srcExclude: ['public/**'],
  cacheDir: `${STAGE}-cache`,
  // The path of the site on its host, such as /stemma/.
  base: process.env.DOCS_BASE ?? '/',
  lang: 'en',
  title: 'stemma',
  description: 'JSON:API for Express on TypeORM, with resource types that form hierarchies.',
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  markdown: {
    // The same anchors as on code hosts, so that links to headings work on both.
    anchor: { slugify: toAnchor },
    html: false,
    config: drawDiagrams,
    theme: { light: 'github-light-high-contrast', dark: 'github-dark' },
  },
  themeConfig: {
    nav: topNavigation(),
    // Only pages of exports list the exports in the sidebar, because there are as many as all other pages.
    sidebar: { '/': sidebar(), '/reference/api': sidebar({ 'docs/reference/api.md': exportsSidebar() }) },
    outline: { level: [2, 3] },
    search: { provider: 'local' },
    footer: { message: 'MIT licensed' },
  },
})

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
