import { defineConfig } from 'vitepress'
import { exportsSidebar } from '../stage/describe-exports.js'
import { sidebar, topNavigation } from '../stage/navigation.js'
import { OUTPUT, STAGE } from '../stage/places.js'

export default defineConfig({
  srcDir: STAGE,
  outDir: OUTPUT,
  cacheDir: `${STAGE}-cache`,
  // Where the site is published below the root of a host: /stemma/.
  base: process.env.DOCS_BASE ?? '/',
  lang: 'en',
  title: 'stemma',
  description: 'JSON:API for Express on TypeORM, with resource types that form hierarchies.',
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  markdown: {
    // As code hosts make them, so that a link to a heading leads there on both.
    anchor: { slugify: toAnchor },
    html: false,
    theme: { light: 'github-light-high-contrast', dark: 'github-dark' },
  },
  themeConfig: {
    nav: topNavigation(),
    // The exports stand in the sidebar of their own pages alone: there are as many of them as of all other pages together.
    sidebar: { '/': sidebar(), '/reference/api': sidebar({ 'docs/reference/api.md': exportsSidebar() }) },
    outline: { level: [2, 3] },
    search: { provider: 'local' },
    footer: { message: 'MIT licensed' },
  },
})

/** In lower case, blanks become hyphens, and what is neither letter, digit, hyphen nor `_` goes. */
function toAnchor(heading) {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
}
