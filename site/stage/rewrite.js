import { posix } from 'node:path'
import { FILES, isFolder, isImage } from './files.js'
import { sitePathOf } from './paths.js'

/** Replacements of snippet languages that the highlighter does not support. */
const LANGUAGES = { ebnf: 'txt', text: 'txt' }

/** Returns the page at `path` for the site. Calls `onLink` with each file and folder that it links to, images included. */
export function rewrite(text, path, onLink) {
  // Every second part is a code fence, whose content is not Markdown.
  return text
    .split(/^(```.*?^```)$/ms)
    .map((part, index) => (index % 2 === 1 ? rewriteFence(part) : rewriteLinks(part, path, onLink)))
    .join('')
}

/** Removes the words after the language, such as in ` ```ts run `. They are for the tests. */
function rewriteFence(fence) {
  return fence.replace(/^```(\S*)[^\n]*/, (_line, language) => `\`\`\`${LANGUAGES[language] ?? language}`)
}

function rewriteLinks(prose, path, onLink) {
  return prose.replace(/`[^`\n]*`|\]\(([^)\s]+)\)/g, (whole, target) => {
    if (target === undefined || /^(\w+:|#)/.test(target)) return whole
    const [file, anchor] = target.split('#')
    const linked = posix.normalize(posix.join(posix.dirname(path), file)).replace(/\/$/, '')
    if (!FILES.has(linked) && !isFolder(linked)) throw new Error(`${path} links to ${linked}, which does not exist.`)
    onLink(linked)
    if (isImage(linked)) return `](/${linked})`
    return `](/${sitePathOf(linked, isFolder(linked))}${anchor === undefined ? '' : `#${anchor}`})`
  })
}
