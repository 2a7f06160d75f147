// A hierarchy of twelve types on three levels, with 100,000 rows in each of the three table layouts, in one file of SQLite.
const { existsSync, mkdirSync, renameSync } = require('node:fs')
const { dirname, join } = require('node:path')
const { ROOT, requireOfProject } = require('../packages')
const { createRandom, randomUpTo } = require('./random')
const { removeSqlite } = require('./sqlite')

/** Increment it when the rows or tables change. */
const VERSION = 1

const ROWS = 100_000
const VENDORS = 1000
/** As many rows have the same stock as a page has. */
const STOCKS = ROWS / 50

/** Types with their own attributes and relationships; `base`: the type that they derive from. A base has no rows of its own. */
const TYPES = {
  products: {
    attributes: { name: 'varchar', price: 'int', stock: 'int', createdAt: 'datetime' },
    relationships: ['vendor'],
  },
  books: { base: 'products', attributes: { author: 'varchar', pages: 'int' }, relationships: ['publisher'] },
  garments: { base: 'products', attributes: { size: 'varchar', color: 'varchar' } },
  devices: { base: 'products', attributes: { brand: 'varchar', watts: 'int' }, relationships: ['importer'] },
  paperbacks: { base: 'books', attributes: { weight: 'int' } },
  ebooks: { base: 'books', attributes: { format: 'varchar' } },
  audiobooks: { base: 'books', attributes: { minutes: 'int' } },
  shirts: { base: 'garments', attributes: { sleeves: 'int' } },
  shoes: { base: 'garments', attributes: { heel: 'int' } },
  hats: { base: 'garments', attributes: { brim: 'int' } },
  phones: { base: 'devices', attributes: { camera: 'int' } },
  laptops: { base: 'devices', attributes: { screen: 'int' } },
}
exports.TYPES = TYPES

const NAMES = Object.keys(TYPES)
const isBase = (name) => NAMES.some((other) => TYPES[other].base === name)
const LEAVES = NAMES.filter((name) => !isBase(name))
Object.assign(exports, { isBase, LEAVES, ROWS, STOCKS })

/** From the topmost type to the type itself. */
const levelsOf = (name) => (name === undefined ? [] : [...levelsOf(TYPES[name].base), name])
exports.levelsOf = levelsOf

/** The columns that one type adds: `{ name: SQL type }`. */
function columnsOf(name) {
  const { attributes, relationships = [] } = TYPES[name]
  return { ...attributes, ...Object.fromEntries(relationships.map((relationship) => [`${relationship}Id`, 'int'])) }
}

const allColumns = (names) => Object.assign({}, ...names.map(columnsOf))

/** Returns the tables of each layout: their columns, and the types whose rows they contain. */
exports.TABLES_OF_LAYOUT = {
  single: { products: { columns: { kind: 'varchar', ...allColumns(NAMES) }, types: LEAVES } },
  joined: Object.fromEntries(
    NAMES.map((name) => [
      `joined_${name}`,
      {
        columns: { ...(name === 'products' && { kind: 'varchar' }), ...columnsOf(name) },
        types: LEAVES.filter((leaf) => levelsOf(leaf).includes(name)),
      },
    ]),
  ),
  concrete: Object.fromEntries(
    LEAVES.map((name) => [`concrete_${name}`, { columns: allColumns(levelsOf(name)), types: [name] }]),
  ),
}

/** Builds the file once. Returns its path. */
exports.buildProducts = () => {
  const file = join(ROOT, `build/bench/products-${VERSION}.sqlite`)
  if (existsSync(file)) return file
  mkdirSync(dirname(file), { recursive: true })
  removeSqlite(`${file}.unfinished`)
  const database = new (requireOfProject('better-sqlite3'))(`${file}.unfinished`)
  database.pragma('journal_mode = off')
  database.pragma('synchronous = off')
  database.transaction(() => fill(database))()
  database.exec('analyze')
  database.pragma('journal_mode = wal')
  database.close()
  renameSync(`${file}.unfinished`, file)
  return file
}

function fill(database) {
  database.exec('create table vendors (id integer primary key autoincrement, name varchar not null)')
  const insertVendor = database.prepare('insert into vendors (name) values (?)')
  for (let id = 1; id <= VENDORS; id++) insertVendor.run(`Vendor ${id}`)
  const tables = Object.values(exports.TABLES_OF_LAYOUT).flatMap(Object.entries)
  for (const [name, { columns }] of tables) createTable(database, name, columns)
  const inserts = tables.map(([name, { columns, types }]) => {
    const names = ['id', ...Object.keys(columns)]
    const statement = database.prepare(
      `insert into ${name} (${names.join(', ')}) values (${names.map((column) => `@${column}`).join(', ')})`,
    )
    return { statement, types, empty: Object.fromEntries(names.map((column) => [column, null])) }
  })
  const random = createRandom(11)
  for (let id = 1; id <= ROWS; id++) {
    const kind = LEAVES[Math.floor(random() * LEAVES.length)]
    const row = { id, kind, ...valuesOf(allColumns(levelsOf(kind)), id, random) }
    for (const { statement, types, empty } of inserts) if (types.includes(kind)) statement.run({ ...empty, ...row })
  }
  for (const [name, { columns }] of tables) createIndexes(database, name, columns)
}

function createTable(database, name, columns) {
  const declared = Object.entries(columns).map(([column, type]) => `${column} ${type}`)
  database.exec(`create table ${name} (id integer primary key, ${declared.join(', ')})`)
}

function createIndexes(database, table, columns) {
  for (const column of ['kind', 'name', 'stock', 'vendorId'])
    if (columns[column] !== undefined) database.exec(`create index ${table}_${column} on ${table} (${column})`)
}

function valuesOf(columns, id, random) {
  return Object.fromEntries(
    Object.entries(columns).map(([name, type]) => [name, storedValueOf(name, type, id, random)]),
  )
}

function storedValueOf(name, type, id, random) {
  if (name.endsWith('Id')) return randomUpTo(random, VENDORS)
  if (name === 'name') return `Product ${String(Math.floor(random() * 1e6)).padStart(6, '0')}`
  if (name === 'stock') return id % STOCKS
  if (type === 'int') return randomUpTo(random, 1000)
  if (type === 'varchar') return `${name} ${randomUpTo(random, 500)}`
  return new Date(Date.UTC(2020, 0, 1) + Math.floor(random() * 1e11)).toISOString().replace('T', ' ').replace('Z', '')
}
