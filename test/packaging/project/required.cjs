// A program of a user: CommonJS.
const stemma = require('stemma')
const client = require('stemma/client')
const sqlite3 = require('stemma/sqlite3')
const testing = require('stemma/testing')

if (typeof stemma.createJsonApi !== 'function') throw new Error('createJsonApi is missing.')
if (typeof client.createClient !== 'function') throw new Error('createClient is missing.')
if (typeof sqlite3.Sqlite3DataSource !== 'function') throw new Error('Sqlite3DataSource is missing.')
if (typeof testing.lintExchange !== 'function') throw new Error('lintExchange is missing.')

const files = Object.keys(require.cache).filter((path) => /[\\/]stemma[\\/]dist[\\/]/.test(path))
if (files.length > 5)
  throw new Error(`Expected a file for each entry point and one for the library, found ${files.length}.`)

module.exports = { stemma, client, sqlite3, testing }
