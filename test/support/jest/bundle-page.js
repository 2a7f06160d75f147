const { join } = require('node:path')
const { bundlePage } = require('../../../scripts/bundle-page')

/** Bundles the page of the explorer once for each run, for APIs that run from `src`. */
module.exports = () => bundlePage(join(__dirname, '..', '..', '..', 'src', 'explorer', 'explorer-page'))
