const { fork } = require('node:child_process')
const { join } = require('node:path')

const root = join(__dirname, '..')

/** Bytes of resident memory above which the process is replaced. */
const MAX_MEMORY = 1_200_000_000

/** Milliseconds for a test file to finish after its first failed test. */
const FINISH_TIMEOUT = 3_000

/** Starts a process that runs test files. A process that times out or exits is replaced. */
exports.startWorker = () => {
  let child
  const stop = () => {
    child?.removeAllListeners()
    child?.on('error', () => {})
    child?.kill('SIGKILL')
    child = undefined
  }
  const run = (job, milliseconds) =>
    new Promise((resolve) => {
      child ??= fork(join(__dirname, 'worker.js'), { cwd: root, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
      let failed
      const finish = (result) => {
        clearTimeout(timer)
        child?.removeAllListeners()
        if (result.memory === undefined || result.memory > MAX_MEMORY) stop()
        resolve({ failed, ...result })
      }
      const stopWaiting = () =>
        finish(failed === undefined ? { failed: { test: job.file, message: 'Took too long.' } } : {})
      let timer = setTimeout(stopWaiting, milliseconds)
      child.on('message', ({ kind, ...message }) => {
        if (kind === 'done') return finish(message)
        failed = message
        if (job.mutant === undefined) return
        clearTimeout(timer)
        timer = setTimeout(stopWaiting, FINISH_TIMEOUT)
      })
      child.on('error', (error) => finish({ failed: { test: job.file, message: String(error) } }))
      child.on('exit', () => finish({ failed: failed ?? { test: job.file, message: 'The process exited.' } }))
      child.send(job)
    })
  return { run, stop }
}
