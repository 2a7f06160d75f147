// Which test files a level of checking runs on which configuration, and in which order they find a defect soonest.
const { DATABASES } = require('../databases')
const { sampleOf, UNSAMPLED } = require('../matrix/sample')
const { runsOn, testFiles } = require('../runs-on')

/** `ci`: the steps of `.ci/run`. `verify`: the steps of `npm run verify`. */
exports.LEVELS = ['ci', 'verify']

exports.filesOf = (level, name) =>
  level === 'ci' && !UNSAMPLED.includes(name) ? sampleOf(name) : testFiles().filter((file) => runsOn(file, name, level))

/** Number of files that run first on each configuration that shows the defect. */
const FIRST_FILES = 6

/** The step that runs only the file that is known to notice the defect. */
exports.noticingStepOf = ({ noticedBy, noticedOn, shows }) => ({ name: noticedOn ?? shows[0], files: [noticedBy] })

/**
 * Steps `{ name, files }`: the file that is known to notice the defect; the quickest files that execute the changed code, on configurations
 * that show the defect; then all others of those configurations, then other configurations. Files that do not execute the code are left out.
 */
exports.planOf = (defect, position, level, { covers, secondsOf }) => {
  const { shows } = defect
  const first = exports.noticingStepOf(defect)
  const others = Object.keys(DATABASES).filter((name) => !shows.includes(name))
  const ranked = new Map([...shows, ...others].map((name) => [name, ranking(name)]))

  function ranking(name) {
    const sample = sampleOf(name)
    const rankOf = (file) => {
      const covered = covers(name, file, position)
      return [
        covered === 'yes' ? 0 : 1,
        hasSimilarName(file, position.path) ? 0 : 1,
        sample.includes(file) ? 0 : 1,
        secondsOf(name, file) ?? 1,
      ]
    }
    return exports
      .filesOf(level, name)
      .filter((file) => name !== first.name || !first.files.includes(file))
      .filter((file) => covers(name, file, position) !== 'no')
      .map((file) => ({ file, rank: rankOf(file) }))
      .sort((left, right) => compare(left.rank, right.rank))
      .map(({ file }) => file)
  }

  return [
    first,
    ...shows.map((name) => ({ name, files: ranked.get(name).slice(0, FIRST_FILES) })),
    ...shows.map((name) => ({ name, files: ranked.get(name).slice(FIRST_FILES) })),
    ...others.map((name) => ({ name, files: ranked.get(name) })),
  ].filter(({ files }) => files.length > 0)
}

/** A test with a similar name probably tests the file: `column-values.test.ts` tests `convert-values.ts`. */
function hasSimilarName(file, path) {
  const words = wordsOf(path)
  return wordsOf(file).some((word) => words.includes(word))
}

function wordsOf(path) {
  return path
    .split('/')
    .at(-1)
    .replace(/\..*$/, '')
    .split('-')
    .map((word) => word.replace(/s$/, ''))
    .filter((word) => word.length > 3)
}

function compare(left, right) {
  const index = left.findIndex((value, at) => value !== right[at])
  return index < 0 ? 0 : left[index] - right[index]
}
