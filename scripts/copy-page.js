// Copies the explorer's page into the package without its types. Browsers run it unchanged.
const { cpSync } = require('node:fs')
const { join } = require('node:path')

const [from, to] = ['src', 'dist'].map((folder) => join(__dirname, '..', folder, 'explorer', 'page'))

cpSync(from, to, { recursive: true, filter: (path) => !path.endsWith('.d.ts') })
