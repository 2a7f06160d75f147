// Builds a file with all rows once. Each server gets a copy of it.
const { constants, copyFileSync, existsSync, mkdirSync, renameSync, rmSync } = require('node:fs')
const { dirname, join } = require('node:path')
const { ROOT, requireOfProject } = require('../packages')
const { countsAt, TABLES } = require('./tables')

/** Increment it when the rows or tables change. */
const VERSION = 3

const TYPES = {
  key: 'integer primary key autoincrement',
  text: 'varchar',
  integer: 'integer',
  timestamp: 'datetime',
  boolean: 'boolean',
}
const NOW = "strftime('%Y-%m-%d %H:%M:%f', 'now')"

/** Returns the path of the file. */
exports.buildSqlite = (scale = 1) => {
  const file = join(ROOT, `build/bench/data-${VERSION}-${scale}.sqlite`)
  if (existsSync(file)) return file
  mkdirSync(dirname(file), { recursive: true })
  // Renaming at the end keeps an interrupted build from being taken for a finished file.
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
  const Database = requireOfProject('better-sqlite3')
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

function fillTable(database, [name, { columns, primaryKey, rows, indexes = [] }], counts) {
  const declared = Object.entries(columns).map(([column, kind]) => `${column} ${typeOf(kind)}`)
  if (primaryKey !== undefined) declared.push(`primary key (${primaryKey.join(', ')})`)
  database.exec(`create table ${name} (${declared.join(', ')})`)
  const kinds = Object.values(columns)
  const insert = database.prepare(`insert into ${name} values (${kinds.map(() => '?').join(', ')})`)
  for (const row of rows(counts)) insert.run(row.map((value, index) => toStored(value, kinds[index])))
  for (const index of indexes) database.exec(`create index ${name}_${index.join('_')} on ${name} (${index.join(', ')})`)
}

function typeOf(kind) {
  if (kind === 'timestamp') return `datetime not null default (${NOW})`
  return TYPES[kind] ?? `integer references ${kind} (id)`
}

function toStored(value, kind) {
  if (kind === 'timestamp') return value.replace('T', ' ').replace('Z', '')
  return kind === 'boolean' && value !== null ? Number(value) : value
}
