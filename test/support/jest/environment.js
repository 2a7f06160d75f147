const { ModuleMocker } = require('jest-mock')

/** Test files run in the realm of the process, as applications do, and not in a separate VM context. */
module.exports = class {
  global = globalThis
  moduleMocker = new ModuleMocker(globalThis)
  #console = console
  #exit = process.exit

  getVmContext() {
    return null
  }

  async setup() {}

  // Restores what Jest has replaced for a file.
  async teardown() {
    globalThis.console = this.#console
    process.exit = this.#exit
  }
}
