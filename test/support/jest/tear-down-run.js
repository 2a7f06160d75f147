const { dropLeftovers } = require('../../../scripts/drop-leftovers')

/** Runs once after all test files, when the workers have ended. Databases that tests have emptied still exist. */
module.exports = async () => {
  const url = process.env.TEST_DATABASE_URL
  if (url !== undefined) await dropLeftovers({ url }, process.pid)
}
