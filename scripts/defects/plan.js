// Which test files a level of checking runs on which configuration, and in which order they find a defect soonest.
const { DATABASES } = require('../databases')
const { sampleOf, WHOLE } = require('../matrix/sample')
const { runsOn, testFiles } = require('../runs-on')

/** `ci`: what `.ci/run` runs. `verify`: what `npm run verify` runs. */
exports.LEVELS = ['ci', 'verify']

exports.filesOf = (level, name) =>
  level === 'ci' && !WHOLE.includes(name) ? sampleOf(name) : testFiles().filter((file) => runsOn(file, name))

/** Files of a first run for each configuration that shows the defect. */
const FIRST = 6

/**
 * Steps `{ name, files }`: the quickest files that execute the changed code, on configurations that show the defect; then all others of
 * those configurations, then other configurations. Files that do not execute the code are left out.
 */
exports.planOf = ({ shows }, place, level, { reach, secondsOf }) => {
  const others = Object.keys(DATABASES).filter((name) => !shows.includes(name))
  const ranked = new Map([...shows, ...others].map((name) => [name, ranking(name)]))

  function ranking(name) {
    const sample = sampleOf(name)
    const worth = (file) => {
      const reached = reach(name, file, place)
      return [
        reached === 'yes' ? 0 : 1,
        isNamedAlike(file, place.path) ? 0 : 1,
        sample.includes(file) ? 0 : 1,
        secondsOf(name, file) ?? 1,
      ]
    }
    return exports
      .filesOf(level, name)
      .filter((file) => reach(name, file, place) !== 'no')
      .map((file) => ({ file, worth: worth(file) }))
      .sort((one, other) => compare(one.worth, other.worth))
      .map(({ file }) => file)
  }

  return [
    ...shows.map((name) => ({ name, files: ranked.get(name).slice(0, FIRST) })),
    ...shows.map((name) => ({ name, files: ranked.get(name).slice(FIRST) })),
    ...others.map((name) => ({ name, files: ranked.get(name) })),
  ].filter(({ files }) => files.length > 0)
}

/** `test/modules/store/column-values.test.ts` is about `convert-values.ts`, most likely. */
function isNamedAlike(file, path) {
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

function compare(one, other) {
  const place = one.findIndex((value, at) => value !== other[at])
  return place < 0 ? 0 : one[place] - other[place]
}
