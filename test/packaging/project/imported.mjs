// A program of a user: an ES module, in the company of a CommonJS one. Both must hold the same classes.
import required from './required.cjs'

compare('stemma', required.stemma, { ...(await import('stemma')) })
compare('stemma/client', required.client, { ...(await import('stemma/client')) })
compare('stemma/sqlite3', required.sqlite3, { ...(await import('stemma/sqlite3')) })
compare('stemma/testing', required.testing, { ...(await import('stemma/testing')) })

function compare(entry, one, other) {
  const names = Object.keys(one)
  if (names.length === 0) throw new Error(`There is nothing to import from ${entry}.`)
  for (const name of new Set([...names, ...Object.keys(other)]))
    if (other[name] !== one[name]) throw new Error(`${name} of ${entry} differs between import and require.`)
  console.log(`${entry}: ${names.length} names, the same by import and by require`)
}
