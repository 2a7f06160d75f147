// Runs a test file with jest-circus, but with the module loader of Node.js: packages and `src` are loaded once per process, tests for each
// file. docs/internals/decisions/022-tests-and-checks.md has the reasons.
const { createScriptTransformer } = require('@jest/transform')
const { createRequire } = require('node:module')
const { default: runWithCircus } = require('jest-circus/runner')
const { loadTypeScript } = require('../load-typescript')
const { forgetFile } = require('./forget-file')

// Fewer frames are faster: every assertion and every error of a test captures a stack trace.
const FRAMES = 20

let transformer
let runtimeOfFile
/** The options of `jest --coverage`. */
let coverage
/** Paths of source maps by file. */
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
  globalThis.jest = createJestObject(environment.moduleMocker)
  return runWithCircus(globalConfig, config, environment, createNodeRuntime(runtime), path, sendMessage)
}

function coverageOf({ collectCoverage, collectCoverageFrom, coverageProvider }) {
  return { collectCoverage, collectCoverageFrom, coverageProvider, sourcesRelatedToTestsInChangedFiles: undefined }
}

/** Returns the members of a runtime that jest-circus uses. */
function createNodeRuntime(runtime) {
  return {
    requireModule: load,
    requireInternalModule: reload,
    unstable_shouldLoadAsEsm: () => false,
    setGlobalsForRuntime() {},
    enterTestCode: () => runtime.enterTestCode(),
    leaveTestCode: () => runtime.leaveTestCode(),
  }
}

/** Does not use the `require` of this module, which would retain all modules that it has loaded. */
function load(path) {
  return createRequire(path)(path)
}

/** Loads a module again, because jest-circus stores the tests of a file in a module. */
function reload(path) {
  delete require.cache[path]
  return load(path)
}

/** Returns the members of `jest` that tests use. */
function createJestObject(moduleMocker) {
  return {
    fn: (implementation) => moduleMocker.fn(implementation),
    setTimeout(milliseconds) {
      globalThis[Symbol.for('TEST_TIMEOUT_SYMBOL')] = milliseconds
    },
  }
}
