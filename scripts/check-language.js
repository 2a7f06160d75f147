// Checks that the repository is written in plain words: `npm run check:language`. All tracked files: no phrase and no name of
// language/phrases.js. Pages: no sentence of more than 35 words. Exit codes: 0 nothing found, 1 something found, 2 invalid arguments.
// `npm run check:language -- --longest FILE` prints the ten longest sentences of a page.
const { execFileSync } = require('node:child_process')
const { existsSync, readFileSync } = require('node:fs')
const { PHRASES, RETIRED_NAMES, UNCHECKED } = require('./language/phrases')
const { sentencesOf } = require('./language/sentences')

const MAX_WORDS = 35
const LONGEST = 10
/** Decision records are left out, since they list measurements in long sentences. */
const PAGE =
  /^(?:README|CONTRIBUTING|SECURITY|CHANGELOG)\.md$|^docs\/(?!internals\/decisions\/).*\.md$|^templates\/.*README\.md$/

/** A phrase may continue on the next line of a comment. */
const GAP = String.raw`\s+(?:(?://|\*|#)\s+)?`
const PHRASE = new RegExp(`\\b(?:${PHRASES.map(({ phrase }) => phrase.replaceAll(' ', GAP)).join('|')})\\b`, 'gi')
const NAME = new RegExp(`(?<![\\w-])(?:${Object.keys(RETIRED_NAMES).join('|')})(?![\\w-])`, 'g')

function main([option, path, ...rest]) {
  if (option === undefined) return checkRepository()
  if (option === '--longest' && path !== undefined && rest.length === 0) return printLongest(path)
  console.error('Usage: node scripts/check-language.js [--longest FILE]')
  return 2
}

function checkRepository() {
  const files = trackedFiles()
  const pages = files.filter((path) => PAGE.test(path))
  const found = files.flatMap((path) => {
    const text = readFileSync(path, 'utf8')
    return [...findWords(path, text), ...(PAGE.test(path) ? findLongSentences(path, text) : [])]
  })
  for (const each of found) console.log(each)
  console.log(`${files.length} files, ${pages.length} pages, ${found.length} findings`)
  if (files.length === 0 || pages.length === 0)
    console.error('Found no files or no pages. Run this in the root of the repository.')
  return found.length > 0 || files.length === 0 || pages.length === 0 ? 1 : 0
}

/** Returns the files to check: tracked by git, text, and not in `UNCHECKED`. */
function trackedFiles() {
  const listed = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' }).split('\0')
  // During a merge, git lists a file with conflicts once for each version.
  return [...new Set(listed)]
    .filter((path) => path !== '' && existsSync(path) && !UNCHECKED.some((each) => each.path.test(path)))
    .filter((path) => !readFileSync(path).includes(0))
}

function findWords(path, text) {
  return [
    ...[...text.matchAll(PHRASE)].map((match) => [match, useInsteadOf(match[0])]),
    ...[...text.matchAll(NAME)].map((match) => [match, RETIRED_NAMES[match[0]]]),
  ].map(([{ 0: word, index }, use]) => {
    const line = text.slice(0, index).split('\n').length
    return `${path}:${line}: '${word.replace(/\s+/g, ' ')}'. Write instead: ${use}.`
  })
}

function useInsteadOf(words) {
  return PHRASES.find(({ phrase }) => new RegExp(phrase.replaceAll(' ', GAP), 'i').test(words)).use
}

function findLongSentences(path, text) {
  return sentencesOf(text)
    .filter(({ words }) => words > MAX_WORDS)
    .map(({ line, words, text: sentence }) => `${path}:${line}: ${words} words, at most ${MAX_WORDS}: ${sentence}`)
}

function printLongest(path) {
  if (!existsSync(path)) {
    console.error(`There is no file ${path}.`)
    return 2
  }
  const sentences = sentencesOf(readFileSync(path, 'utf8'))
  if (sentences.length === 0) {
    console.error(`${path} has no sentence.`)
    return 1
  }
  const mean = sentences.reduce((sum, { words }) => sum + words, 0) / sentences.length
  const longest = sentences.toSorted((one, other) => other.words - one.words).slice(0, LONGEST)
  for (const { line, words, text } of longest) console.log(`${path}:${line}: ${words} words: ${text}`)
  console.log(`${sentences.length} sentences, mean ${mean.toFixed(1)} words`)
  return 0
}

process.exitCode = main(process.argv.slice(2))
