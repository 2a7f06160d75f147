// A program of a user: an ES module, in the company of a CommonJS one. Both must hold the same classes.
import required from './required.cjs'

const imported = { ...(await import('stemma')) }
const names = Object.keys(required)
if (names.length === 0) throw new Error('There is nothing to import.')

for (const name of new Set([...names, ...Object.keys(imported)])) {
  if (imported[name] !== required[name]) throw new Error(`${name} differs between import and require.`)
}
console.log(`${names.length} names, the same by import and by require`)
