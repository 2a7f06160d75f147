import { posix } from 'node:path'
import { FILES, isFolder } from './files.js'
import { placeOf } from './places.js'

/** Languages of snippets that the highlighter knows by another name, or not at all. */
const LANGUAGES = { ebnf: 'txt', text: 'txt' }

/** The page at `path` of the project as the site shows it. `onLink` is told each file and folder that it links to. */
export function rewrite(text, path, onLink) {
  // Code fences are every second piece: what stands in them is not Markdown.
  return text
    .split(/^(```.*?^```)$/ms)
    .map((piece, index) => (index % 2 === 1 ? rewriteFence(piece) : rewriteLinks(piece, path, onLink)))
    .join('')
}

/** ` ```ts run ` is for the tests; readers see TypeScript. */
function rewriteFence(fence) {
  return fence.replace(/^```(\S*)[^\n]*/, (_line, language) => `\`\`\`${LANGUAGES[language] ?? language}`)
}

function rewriteLinks(prose, path, onLink) {
  return prose.replace(/`[^`\n]*`|\]\(([^)\s]+)\)/g, (whole, target) => {
    if (target === undefined || /^(\w+:|#)/.test(target)) return whole
    const [file, anchor] = target.split('#')
    const found = posix.normalize(posix.join(posix.dirname(path), file)).replace(/\/$/, '')
    if (!FILES.has(found) && !isFolder(found)) throw new Error(`${path}: there is no ${found}.`)
    onLink(found)
    return `](/${placeOf(found, isFolder(found))}${anchor === undefined ? '' : `#${anchor}`})`
  })
}
