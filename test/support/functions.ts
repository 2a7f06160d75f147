import { defineFunction } from 'stemma'

/** Custom functions, one of each kind. */
export const length = defineFunction({
  name: 'length',
  argumentTypes: ['string'],
  returnType: 'integer',
  toSql: (sql, [text], database) => (database === 'mysql' ? sql`char_length(${text})` : sql`length(${text})`),
})

export const upper = defineFunction({
  name: 'upper',
  argumentTypes: ['string'],
  returnType: 'string',
  toSql: (sql, [text]) => sql`upper(${text})`,
})

export const join = defineFunction({
  name: 'join',
  argumentTypes: ['string', 'string'],
  returnType: 'string',
  toSql: (sql, [one, other], database) =>
    database === 'mysql' ? sql`concat(${one}, ${', '}, ${other})` : sql`${one} || ${', '} || ${other}`,
})

export const plus = defineFunction({
  name: 'plus',
  argumentTypes: ['integer', 'integer'],
  returnType: 'integer',
  toSql: (sql, [one, other]) => sql`${one} + ${other}`,
})

export const half = defineFunction({
  name: 'half',
  argumentTypes: ['float'],
  returnType: 'float',
  toSql: (sql, [number]) => sql`${number} / 2.0`,
})

export const cents = defineFunction({
  name: 'cents',
  argumentTypes: ['decimal'],
  returnType: 'bigint',
  toSql: (sql, [price], database) => sql`cast(${price} * 100 as ${database === 'mysql' ? sql`signed` : sql`bigint`})`,
})

export const discounted = defineFunction({
  name: 'discounted',
  argumentTypes: ['decimal'],
  returnType: 'decimal',
  toSql: (sql, [price]) => sql`${price} * 0.5`,
})

export const year = defineFunction({
  name: 'year',
  argumentTypes: ['date'],
  returnType: 'integer',
  toSql: (sql, [date], database) =>
    database === 'sqlite'
      ? sql`cast(strftime(${'%Y'}, ${date}) as integer)`
      : sql`cast(extract(year from ${date}) as ${database === 'mysql' ? sql`signed` : sql`integer`})`,
})

export const isWeekend = defineFunction({
  name: 'isWeekend',
  argumentTypes: ['date'],
  returnType: 'boolean',
  toSql: (sql, [date], database) => {
    if (database === 'sqlite') return sql`strftime(${'%w'}, ${date}) in (${'0'}, ${'6'})`
    return database === 'mysql' ? sql`dayofweek(${date}) in (1, 7)` : sql`extract(isodow from ${date}) in (6, 7)`
  },
})

export const isBefore = defineFunction({
  name: 'isBefore',
  argumentTypes: ['datetime', 'datetime'],
  returnType: 'boolean',
  toSql: (sql, [one, other]) => sql`${one} < ${other}`,
})

export const both = defineFunction({
  name: 'both',
  argumentTypes: ['boolean', 'boolean'],
  returnType: 'boolean',
  toSql: (sql, [one, other]) => sql`${one} and ${other}`,
})

export const FUNCTIONS = [length, upper, join, plus, half, cents, discounted, year, isWeekend, isBefore, both]
