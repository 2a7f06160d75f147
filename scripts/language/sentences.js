const { lexer } = require('marked')

const ABBREVIATION = /(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|resp)\.|\b[A-Z]\.)$/

/**
 * Returns the sentences of a Markdown text, each with its line and its number of words. A heading, a list item and a cell of a table end a
 * sentence. Blocks of code are left out; a piece of code within a sentence counts as one word.
 */
exports.sentencesOf = (markdown) => sentencesIn(lexer(markdown), 1)

function sentencesIn(tokens, firstLine) {
  let line = firstLine
  return tokens.flatMap((token) => {
    const found = sentencesOfBlock(token, line)
    line += linesIn(token.raw)
    return found
  })
}

function sentencesOfBlock(token, line) {
  switch (token.type) {
    case 'paragraph':
    case 'heading':
    case 'text':
      return split(textOf(token), line)
    case 'list':
      return sentencesIn(token.items, line)
    case 'list_item':
    case 'blockquote':
      return sentencesIn(token.tokens, line)
    case 'table':
      // The second line separates the heading.
      return [
        ...token.header.flatMap((cell) => split(textOf(cell), line)),
        ...token.rows.flatMap((row, index) => row.flatMap((cell) => split(textOf(cell), line + 2 + index))),
      ]
    default:
      return []
  }
}

/** A space within code becomes a no-break space, so that a piece of code is one word. */
function textOf(token) {
  if (token.type === 'codespan') return token.raw.replace(/\s+/g, '\u00a0')
  if (token.type === 'image' || token.type === 'html') return ''
  if (token.type === 'br') return '\n'
  // `raw` is not escaped for HTML.
  return token.tokens?.map(textOf).join('') ?? token.raw
}

function split(text, firstLine) {
  const found = []
  let start = 0
  const add = (end) => {
    const sentence = text.slice(start, end)
    const words = sentence.split(/[ \n]+/).filter((word) => /[\p{L}\p{N}]/u.test(word))
    const skipped = text.slice(0, start) + sentence.slice(0, sentence.length - sentence.trimStart().length)
    if (words.length > 0) {
      found.push({
        line: firstLine + linesIn(skipped),
        text: sentence.trim().replace(/\s+/g, ' '),
        words: words.length,
      })
    }
    start = end
  }
  for (const { index, 0: end } of text.matchAll(/[.!?]["'”’)\]]*(?=[ \n])/g)) {
    if (!ABBREVIATION.test(text.slice(start, index + 1))) add(index + end.length)
  }
  add(text.length)
  return found
}

function linesIn(text) {
  return text.split('\n').length - 1
}
