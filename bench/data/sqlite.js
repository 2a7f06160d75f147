// A file with all rows, built once; every server works on a copy of its own.
const { constants, copyFileSync, existsSync, mkdirSync, renameSync, rmSync } = require('node:fs')
const { dirname, join } = require('node:path')
const { ROOT, library } = require('../packages')
const { countsAt, TABLES } = require('./tables')

/** To be counted up with each change of the rows or tables. */
const VERSION = 2

const TYPES = { key: 'integer primary key autoincrement', text: 'varchar', moment: 'datetime', boolean: 'boolean' }
const NOW = "strftime('%Y-%m-%d %H:%M:%f', 'now')"

/** Gives the path of the file. */
exports.buildSqlite = (scale = 1) => {
  const file = join(ROOT, `build/bench/data-${VERSION}-${scale}.sqlite`)
  if (existsSync(file)) return file
  mkdirSync(dirname(file), { recursive: true })
  // Half a file would look like a whole one the next time.
  const unfinished = `${file}.unfinished`
  removeSqlite(unfinished)
  fill(unfinished, countsAt(scale))
  renameSync(unfinished, file)
  return file
}

exports.copySqlite = (file, name) => {
  const copy = join(ROOT, `build/bench/copy-${name}.sqlite`)
  removeSqlite(copy)
  copyFileSync(file, copy, constants.COPYFILE_FICLONE)
  return copy
}

function removeSqlite(file) {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(file + suffix, { force: true })
}
exports.removeSqlite = removeSqlite

function fill(file, counts) {
  const Database = library('better-sqlite3')
  const database = new Database(file)
  database.pragma('journal_mode = off')
  database.pragma('synchronous = off')
  database.pragma('foreign_keys = off')
  database.transaction(() => {
    for (const table of Object.entries(TABLES)) fillTable(database, table, counts)
  })()
  database.exec('analyze')
  database.pragma('journal_mode = wal')
  database.close()
}

function fillTable(database, [name, { columns, rows, indexes = [] }], counts) {
  const declared = Object.entries(columns).map(([column, kind]) => `${column} ${typeOf(kind)}`)
  database.exec(`create table ${name} (${declared.join(', ')})`)
  const kinds = Object.values(columns)
  const insert = database.prepare(`insert into ${name} values (${kinds.map(() => '?').join(', ')})`)
  for (const row of rows(counts)) insert.run(row.map((value, place) => stored(value, kinds[place])))
  for (const index of indexes) database.exec(`create index ${name}_${index.join('_')} on ${name} (${index.join(', ')})`)
}

function typeOf(kind) {
  if (kind === 'moment') return `datetime not null default (${NOW})`
  return TYPES[kind] ?? `integer references ${kind} (id)`
}

function stored(value, kind) {
  if (kind === 'moment') return value.replace('T', ' ').replace('Z', '')
  return kind === 'boolean' && value !== null ? Number(value) : value
}
