const { ModuleMocker } = require('jest-mock')

/** No realm is made for a file of tests: it is in that of the process, as an application is. */
module.exports = class {
  global = globalThis
  moduleMocker = new ModuleMocker(globalThis)
  #console = console
  #exit = process.exit

  getVmContext() {
    return null
  }

  async setup() {}

  // What jest has replaced for a file.
  async teardown() {
    globalThis.console = this.#console
    process.exit = this.#exit
  }
}
