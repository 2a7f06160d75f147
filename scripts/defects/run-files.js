// Runs test files in the copy of the tree, until one fails.
const { spawn } = require('node:child_process')
const { join } = require('node:path')
const { DATABASES, environmentOf } = require('../databases')
const { dropLeftovers } = require('../drop-leftovers')

/** Milliseconds for a test file to finish after its first failed test. */
const FINISH_TIMEOUT = 3_000

/** Returns the first failure, `{ file, test, message }`, or `undefined` if all tests pass. `isOver`: it timed out. */
exports.runFiles = async (tree, { name, files }, milliseconds) => {
  const configuration = DATABASES[name]
  const child = spawn(process.execPath, parametersOf(files), {
    cwd: tree,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: { ...process.env, ...environmentOf(configuration), TEST_RUN: '', DEFECTS_FILES: JSON.stringify(files) },
  })
  let failure
  let isOver = false
  let timer = setTimeout(() => {
    isOver = true
    child.kill('SIGKILL')
  }, milliseconds)
  child.on('message', ({ path, test, message }) => {
    if (failure !== undefined) return
    failure = { file: files.find((file) => path.replaceAll('\\', '/').endsWith(`/${file}`)) ?? path, test, message }
    clearTimeout(timer)
    timer = setTimeout(() => child.kill('SIGKILL'), FINISH_TIMEOUT)
  })
  const status = await new Promise((resolve) => child.on('close', (code) => resolve(code)))
  clearTimeout(timer)
  if (status === null) await dropLeftovers(configuration, child.pid)
  // The defect made the process exit.
  if (status !== 0 && status !== null && failure === undefined)
    failure = { file: files[0], test: 'the process', message: `It exited with code ${status}.` }
  return { failure, isOver }
}

function parametersOf(files) {
  return [
    require.resolve('jest/bin/jest'),
    '--runInBand',
    '--forceExit',
    '--silent',
    '--bail=1',
    `--reporters=${join(__dirname, 'reporter.js')}`,
    `--testSequencer=${join(__dirname, 'sequencer.js')}`,
    '--runTestsByPath',
    ...files,
  ]
}
