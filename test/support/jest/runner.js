// Runs a file of tests with jest-circus, but on the modules of Node.js: packages and `src` are loaded once in a process, tests anew
// for each file. docs/internals/decisions/022-tests-and-checks.md has the reasons.
const { createScriptTransformer } = require('@jest/transform')
const { createRequire } = require('node:module')
const { default: runWithCircus } = require('jest-circus/runner')
const { loadTypeScript } = require('../load-typescript')
const { forgetFile } = require('./forget-file')

// Every assertion takes a stack trace, and so does every error that a test provokes.
const FRAMES = 20

let transformer
let runtimeOfFile
/** Whether branches are counted, and of which files: `jest --coverage`. */
let coverage
/** By file: where its source map is. */
const sourceMaps = new Map()

loadTypeScript((filename) => {
  const { code, sourceMapPath } = transformer.transform(filename, coverage)
  sourceMaps.set(filename, sourceMapPath)
  runtimeOfFile.getSourceMaps().set(filename, sourceMapPath)
  return code
})

module.exports = async (globalConfig, config, environment, runtime, path, sendMessage) => {
  const { keepSource = false } = config.testEnvironmentOptions
  forgetFile({
    keepSource: keepSource && !globalConfig.collectCoverage && !globalConfig.watch && !globalConfig.watchAll,
  })
  transformer ??= await createScriptTransformer(config)
  runtimeOfFile = runtime
  coverage = coverageOf(globalConfig)
  for (const [filename, sourceMap] of sourceMaps) runtime.getSourceMaps().set(filename, sourceMap)
  Error.stackTraceLimit = FRAMES
  globalThis.jest = makeJest(environment.moduleMocker)
  return runWithCircus(globalConfig, config, environment, onNode(runtime), path, sendMessage)
}

function coverageOf({ collectCoverage, collectCoverageFrom, coverageProvider }) {
  return { collectCoverage, collectCoverageFrom, coverageProvider, sourcesRelatedToTestsInChangedFiles: undefined }
}

/** What jest-circus asks of a runtime. */
function onNode(runtime) {
  return {
    requireModule: load,
    requireInternalModule: loadAnew,
    unstable_shouldLoadAsEsm: () => false,
    setGlobalsForRuntime() {},
    enterTestCode: () => runtime.enterTestCode(),
    leaveTestCode: () => runtime.leaveTestCode(),
  }
}

/** Not with the `require` of this module, which would hold everything that it has ever loaded. */
function load(path) {
  return createRequire(path)(path)
}

/** jest-circus keeps the tests of a file in a module. */
function loadAnew(path) {
  delete require.cache[path]
  return load(path)
}

/** As much of `jest` as tests use. */
function makeJest(moduleMocker) {
  return {
    fn: (implementation) => moduleMocker.fn(implementation),
    setTimeout(milliseconds) {
      globalThis[Symbol.for('TEST_TIMEOUT_SYMBOL')] = milliseconds
    },
  }
}
