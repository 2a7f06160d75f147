import type { DataSource } from 'typeorm'
import type { ConfigurationIssue } from '../../../errors/configuration-error'
import type { Dialect } from '../dialects/dialect'
import { dialectOf } from '../dialects/dialect-of'

/** Finds driver options that would change values when they are bound or read. */
export function findDriverOptionIssues(dataSource: DataSource): readonly ConfigurationIssue[] {
  const { options } = dataSource
  const driverOptions: Readonly<Record<string, unknown>> = { ...options, ...options.extra }
  return WRONG_OPTIONS[dialectOf(dataSource).name]
    .filter(({ isWrong, name }) => isWrong(driverOptions[name]))
    .map(({ name, reason, remedy }) => ({
      location: 'dataSource',
      message: `its option '${name}' is ${printOption(driverOptions[name])}. ${reason}`,
      remedy,
    }))
}

interface WrongOption {
  readonly name: string
  readonly isWrong: (value: unknown) => boolean
  readonly reason: string
  readonly remedy: string
}

const MYSQL_OPTIONS: readonly WrongOption[] = [
  {
    name: 'supportBigNumbers',
    isWrong: (value) => value === false,
    reason: 'Integers above 2^53 would lose digits.',
    remedy: 'Remove it.',
  },
  {
    name: 'decimalNumbers',
    isWrong: isSet,
    reason: 'Decimals would lose digits.',
    remedy: 'Remove it.',
  },
  {
    name: 'dateStrings',
    isWrong: (value) => value === true || (Array.isArray(value) && MOMENTS.some((type) => value.includes(type))),
    reason: 'Moments would be read without their time zone.',
    remedy: "Set dateStrings: ['DATE'].",
  },
  {
    name: 'typeCast',
    isWrong: (value) => value === false,
    reason: 'Values would be read as bytes.',
    remedy: 'Remove it, or set a function.',
  },
  ...['rowsAsArray', 'nestTables'].map((name) => ({
    name,
    isWrong: isSet,
    reason: 'TypeORM could not read rows.',
    remedy: 'Remove it.',
  })),
  {
    name: 'queryFormat',
    isWrong: isSet,
    reason: "It would replace the driver's own escaping of values.",
    remedy: 'Remove it.',
  },
]

const WRONG_OPTIONS: Readonly<Record<Dialect['name'], readonly WrongOption[]>> = {
  mysql: MYSQL_OPTIONS,
  postgres: [
    {
      name: 'parseInt8',
      isWrong: isSet,
      reason: 'Integers above 2^53 would lose digits.',
      remedy: 'Remove it.',
    },
  ],
  sqlite: [],
}

const MOMENTS = ['DATETIME', 'TIMESTAMP']

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false
}

function printOption(value: unknown): string {
  return typeof value === 'function' ? 'a function' : JSON.stringify(value)
}
