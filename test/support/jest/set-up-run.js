const { join } = require('node:path')
const { bundlePage } = require('../../../scripts/bundle-page')

/** Runs once before all test files. Workers inherit the environment. */
module.exports = async () => {
  // The names of databases start with it.
  process.env.TEST_RUN_PROCESS = String(process.pid)
  // The page of the explorer, for APIs that run from `src`.
  await bundlePage(join(__dirname, '..', '..', '..', 'src', 'explorer', 'explorer-page'))
}
