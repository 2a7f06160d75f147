import { defineFunction } from 'stemma'

/** Custom functions, one of each kind. */
export const length = defineFunction({
  name: 'length',
  takes: ['string'],
  gives: 'integer',
  toSql: (sql, [text], database) => (database === 'mysql' ? sql`char_length(${text})` : sql`length(${text})`),
})

export const upper = defineFunction({
  name: 'upper',
  takes: ['string'],
  gives: 'string',
  toSql: (sql, [text]) => sql`upper(${text})`,
})

export const join = defineFunction({
  name: 'join',
  takes: ['string', 'string'],
  gives: 'string',
  toSql: (sql, [one, other], database) =>
    database === 'mysql' ? sql`concat(${one}, ${', '}, ${other})` : sql`${one} || ${', '} || ${other}`,
})

export const plus = defineFunction({
  name: 'plus',
  takes: ['integer', 'integer'],
  gives: 'integer',
  toSql: (sql, [one, other]) => sql`${one} + ${other}`,
})

export const half = defineFunction({
  name: 'half',
  takes: ['float'],
  gives: 'float',
  toSql: (sql, [number]) => sql`${number} / 2.0`,
})

export const cents = defineFunction({
  name: 'cents',
  takes: ['decimal'],
  gives: 'bigint',
  toSql: (sql, [price], database) => sql`cast(${price} * 100 as ${database === 'mysql' ? sql`signed` : sql`bigint`})`,
})

export const discounted = defineFunction({
  name: 'discounted',
  takes: ['decimal'],
  gives: 'decimal',
  toSql: (sql, [price]) => sql`${price} * 0.5`,
})

export const year = defineFunction({
  name: 'year',
  takes: ['date'],
  gives: 'integer',
  toSql: (sql, [date], database) =>
    database === 'sqlite'
      ? sql`cast(strftime(${'%Y'}, ${date}) as integer)`
      : sql`cast(extract(year from ${date}) as ${database === 'mysql' ? sql`signed` : sql`integer`})`,
})

export const isWeekend = defineFunction({
  name: 'isWeekend',
  takes: ['date'],
  gives: 'boolean',
  toSql: (sql, [date], database) => {
    if (database === 'sqlite') return sql`strftime(${'%w'}, ${date}) in (${'0'}, ${'6'})`
    return database === 'mysql' ? sql`dayofweek(${date}) in (1, 7)` : sql`extract(isodow from ${date}) in (6, 7)`
  },
})

export const isBefore = defineFunction({
  name: 'isBefore',
  takes: ['datetime', 'datetime'],
  gives: 'boolean',
  toSql: (sql, [one, other]) => sql`${one} < ${other}`,
})

export const both = defineFunction({
  name: 'both',
  takes: ['boolean', 'boolean'],
  gives: 'boolean',
  toSql: (sql, [one, other]) => sql`${one} and ${other}`,
})

export const FUNCTIONS = [length, upper, join, plus, half, cents, discounted, year, isWeekend, isBefore, both]
