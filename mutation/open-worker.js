const { fork } = require('node:child_process')
const { join } = require('node:path')

const root = join(__dirname, '..')

/** Bytes; then another process takes over. */
const MEMORY = 1_200_000_000

/** How long a file may take to end what it has begun, once a test has failed. */
const PATIENCE = 3_000

/** A process that runs files of tests. Another one is started where it does not answer in time, or has died. */
exports.openWorker = () => {
  let child
  const end = () => {
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
        if (result.memory === undefined || result.memory > MEMORY) end()
        resolve({ failed, ...result })
      }
      const giveUp = () => finish(failed === undefined ? { failed: { test: job.file, message: 'Took too long.' } } : {})
      let timer = setTimeout(giveUp, milliseconds)
      child.on('message', ({ kind, ...told }) => {
        if (kind === 'done') return finish(told)
        failed = told
        if (job.mutant === undefined) return
        clearTimeout(timer)
        timer = setTimeout(giveUp, PATIENCE)
      })
      child.on('error', (error) => finish({ failed: { test: job.file, message: String(error) } }))
      child.on('exit', () => finish({ failed: failed ?? { test: job.file, message: 'The process died.' } }))
      child.send(job)
    })
  return { run, end }
}
