const { default: Sequencer } = require('@jest/test-sequencer')

/** Files in the order of DEFECTS_FILES. */
module.exports = class extends Sequencer {
  sort(tests) {
    const order = JSON.parse(process.env.DEFECTS_FILES)
    const indexOf = ({ path }) => order.findIndex((file) => path.replaceAll('\\', '/').endsWith(`/${file}`))
    return tests.toSorted((left, right) => indexOf(left) - indexOf(right))
  }
}
