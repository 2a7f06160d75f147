// More tables, for requests that need them: profiles with 40 attributes, teams with members through a junction table, and a hierarchy of 12
// types of vehicles, once in one table and once in joined tables.
const { randomUpTo, textOf } = require('./random')

const ATTRIBUTE_COUNTS = { text: 16, integer: 12, boolean: 6, timestamp: 6 }

/** The 40 attributes of a profile, with their kinds: `text1`, `text2`, … */
exports.PROFILE_ATTRIBUTES = Object.fromEntries(
  Object.entries(ATTRIBUTE_COUNTS).flatMap(([kind, count]) =>
    Array.from({ length: count }, (_, index) => [`${kind}${index + 1}`, kind]),
  ),
)

/** The types of vehicles on three levels, each with the columns that it adds. `base`: the type that it extends. */
exports.VEHICLES = {
  vehicles: { entity: 'Vehicle', columns: { name: 'text', price: 'integer' } },
  cars: { entity: 'Car', base: 'vehicles', columns: { doors: 'integer', fuel: 'text' } },
  trucks: { entity: 'Truck', base: 'vehicles', columns: { payload: 'integer', axles: 'integer' } },
  boats: { entity: 'Boat', base: 'vehicles', columns: { length: 'integer', material: 'text' } },
  sedans: { entity: 'Sedan', base: 'cars', columns: { trunkVolume: 'integer', hasSunroof: 'boolean' } },
  coupes: { entity: 'Coupe', base: 'cars', columns: { topSpeed: 'integer', isConvertible: 'boolean' } },
  wagons: { entity: 'Wagon', base: 'cars', columns: { roofLoad: 'integer', hasRoofRack: 'boolean' } },
  pickups: { entity: 'Pickup', base: 'trucks', columns: { bedLength: 'integer', hasCover: 'boolean' } },
  semis: { entity: 'Semi', base: 'trucks', columns: { trailers: 'integer', hasSleeper: 'boolean' } },
  ferries: { entity: 'Ferry', base: 'boats', columns: { passengers: 'integer', decks: 'integer' } },
  sailboats: { entity: 'Sailboat', base: 'boats', columns: { masts: 'integer', sailArea: 'integer' } },
  tankers: { entity: 'Tanker', base: 'boats', columns: { capacity: 'integer', hasDoubleHull: 'boolean' } },
}

/** Each vehicle has one of these types. Rows of the base type do not exist. */
const STORED_TYPES = Object.keys(exports.VEHICLES).slice(1)

/** Returns a type with all types that it extends, the base first. */
exports.lineageOf = (type) => {
  const { base } = exports.VEHICLES[type]
  return base === undefined ? [type] : [...exports.lineageOf(base), type]
}

/** Number of rows at scale 1. */
exports.CATALOG_COUNTS = { profiles: 20_000, members: 20_000, teams: 5000, vehicles: 20_000 }

const MEMBERS_OF_TEAM = 10

/** Creates the tables, in the form of data/tables.js. */
exports.catalogTables = (numbered) => ({
  profiles: {
    columns: { id: 'key', ...exports.PROFILE_ATTRIBUTES },
    rows: ({ profiles }) =>
      numbered(profiles, 6, (id, random) => [id, ...valuesOf(exports.PROFILE_ATTRIBUTES, random)]),
  },
  members: {
    columns: { id: 'key', name: 'text', email: 'text' },
    rows: ({ members }) => numbered(members, 7, (id, random) => [id, textOf(random, 12), `member${id}@example.com`]),
  },
  teams: {
    columns: { id: 'key', name: 'text' },
    rows: ({ teams }) => numbered(teams, 8, (id, random) => [id, textOf(random, 20)]),
  },
  teams_members: {
    columns: { teamId: 'teams', memberId: 'members' },
    primaryKey: ['teamId', 'memberId'],
    rows: membersOfTeams,
    indexes: [['memberId']],
  },
  vehicles: {
    columns: { id: 'key', kind: 'text', ...columnsOf(Object.keys(exports.VEHICLES)), ownerId: 'members' },
    rows: (counts) =>
      vehicleRows(numbered, counts, ({ id, type, values, owner }) => {
        const columns = Object.keys(columnsOf(Object.keys(exports.VEHICLES)))
        return [id, exports.VEHICLES[type].entity, ...columns.map((column) => values[column] ?? null), owner]
      }),
    indexes: [['kind'], ['ownerId']],
  },
  ...joinedTables(numbered),
})

/** The same vehicles: the base has a table with the type of each row, and each derived type a table with the columns that it adds. */
function joinedTables(numbered) {
  const tables = Object.entries(exports.VEHICLES).map(([type, { base, columns }]) => {
    const own = Object.keys(columns)
    if (base === undefined)
      return {
        columns: { id: 'key', kind: 'text', ...columns, ownerId: 'members' },
        rows: (counts) =>
          vehicleRows(numbered, counts, ({ id, type: stored, values, owner }) => [
            ...[id, exports.VEHICLES[stored].entity],
            ...own.map((column) => values[column]),
            owner,
          ]),
        indexes: [['kind'], ['ownerId']],
      }
    return {
      columns: { id: exports.joinedTableOf(base), ...columns },
      primaryKey: ['id'],
      rows: (counts) =>
        vehicleRows(numbered, counts, ({ id, type: stored, values }) =>
          exports.lineageOf(stored).includes(type) ? [id, ...own.map((column) => values[column])] : undefined,
        ),
    }
  })
  return Object.fromEntries(
    Object.keys(exports.VEHICLES).map((type, index) => [exports.joinedTableOf(type), tables[index]]),
  )
}

exports.joinedTableOf = (type) => `joined_${type}`

function columnsOf(types) {
  return Object.assign({}, ...types.map((type) => exports.VEHICLES[type].columns))
}

function* vehicleRows(numbered, { vehicles, members }, toRow) {
  const all = numbered(vehicles, 9, (id, random) => {
    const type = STORED_TYPES[id % STORED_TYPES.length]
    const columns = columnsOf(exports.lineageOf(type))
    const values = valuesOf(columns, random)
    const named = Object.fromEntries(Object.keys(columns).map((column, index) => [column, values[index]]))
    return { id, type, values: named, owner: randomUpTo(random, members) }
  })
  for (const vehicle of all) {
    const row = toRow(vehicle)
    if (row !== undefined) yield row
  }
}

/** The members of neighbouring teams overlap. */
function* membersOfTeams({ teams, members }) {
  for (let team = 1; team <= teams; team++)
    for (let index = 0; index < MEMBERS_OF_TEAM; index++) yield [team, ((team * 7 + index * 13) % members) + 1]
}

function valuesOf(columns, random) {
  return Object.values(columns).map((kind) => VALUES[kind](random))
}

const VALUES = {
  text: (random) => textOf(random, 16),
  integer: (random) => randomUpTo(random, 10_000),
  boolean: (random) => random() < 0.5,
  timestamp: (random) => new Date(Date.UTC(2015, 0, 1) + Math.floor(random() * 10 * 365 * 86_400_000)).toISOString(),
}
