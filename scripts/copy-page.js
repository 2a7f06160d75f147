// The page of the explorer goes into the package as it is written: browsers run it. Its types stay behind.
const { cpSync } = require('node:fs')
const { join } = require('node:path')

const [from, to] = ['src', 'dist'].map((folder) => join(__dirname, '..', folder, 'explorer', 'page'))

cpSync(from, to, { recursive: true, filter: (path) => !path.endsWith('.d.ts') })
