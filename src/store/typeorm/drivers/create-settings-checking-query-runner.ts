import type { DataSource, QueryRunner, ReplicationMode } from 'typeorm'
import { ConfigurationError, type ConfigurationIssue } from '../../../errors/configuration-error'
import type { SqlDialectName } from '../../../graph/model/filter-or-sort-function'
import { dialectOf } from '../dialects/dialect-of'
import { listenForConnectionLossOfPools, recordErrorOnConnectionLoss } from './connection-loss'
import { recordCommitsUnconfirmedByStandby } from './unreplicated-commits'

/**
 * Creates a query runner that checks the session settings of a connection before it returns it. Each connection is checked once, with one statement, so
 * later changes of settings are not noticed. Rejects with a `ConfigurationError`.
 */
export function createSettingsCheckingQueryRunner(dataSource: DataSource, mode?: ReplicationMode): QueryRunner {
  const { name } = dialectOf(dataSource)
  if (name === 'postgres') listenForConnectionLossOfPools(dataSource)
  const queryRunner = dataSource.createQueryRunner(mode)
  const session = SESSION_CHECKS[name]
  if (session !== undefined) checkOnConnect(queryRunner, session)
  return queryRunner
}

interface SessionCheck {
  /** Selects one row of settings by name. */
  readonly text: string
  select(connection: object, text: string): Promise<Settings>
  findIssues(settings: Settings): readonly Omit<ConfigurationIssue, 'location'>[]
}

type Settings = Readonly<Record<string, unknown>>

const checkedConnections = new WeakSet<object>()

function checkOnConnect(queryRunner: QueryRunner, session: SessionCheck): void {
  const { connect } = queryRunner
  const finish = (connection: object) => {
    queryRunner.connect = connect
    return connection
  }
  queryRunner.connect = () =>
    connect
      .call(queryRunner)
      .then((connection: object) =>
        checkedConnections.has(connection)
          ? finish(connection)
          : checkSession(connection, session).then(() => finish(connection)),
      )
}

async function checkSession(connection: object, { text, select, findIssues }: SessionCheck): Promise<void> {
  const issues = findIssues(await select(connection, text))
  if (issues.length > 0) throw new ConfigurationError(issues.map((issue) => ({ location: 'dataSource', ...issue })))
  recordErrorOnConnectionLoss(connection)
  recordCommitsUnconfirmedByStandby(connection)
  checkedConnections.add(connection)
}

/** The checks by database; SQLite needs none. test/hostile/sessions.test.ts covers the settings that don't need a check. */
const SESSION_CHECKS: Readonly<Partial<Record<SqlDialectName, SessionCheck>>> = {
  mysql: {
    text: 'select @@sql_mode as sql_mode, @@character_set_client as character_set_client, @@character_set_connection as character_set_connection, @@character_set_results as character_set_results',
    select: (connection, text) =>
      new Promise((resolve, reject) => {
        const { query } = connection as MysqlConnection
        query.call(connection, text, (error, rows) => (error ? reject(error) : resolve(rows?.[0] ?? {})))
      }),
    findIssues: (settings) => [...findWrongModes(String(settings.sql_mode)), ...findWrongCharacterSets(settings)],
  },
  postgres: {
    text: `select current_setting('DateStyle') as "DateStyle", current_setting('client_encoding') as client_encoding, current_setting('extra_float_digits') as extra_float_digits`,
    select: async (connection, text) => (await (connection as PostgresConnection).query(text)).rows[0] ?? {},
    findIssues: ({ DateStyle, client_encoding, extra_float_digits }) => [
      ...wrongSetting('DateStyle', DateStyle, /^ISO\b/, 'ISO, MDY', 'Dates would be read wrongly, or not at all.'),
      ...wrongSetting('client_encoding', client_encoding, /^UTF8$/, 'UTF8', 'Text would be lost or changed.'),
      ...wrongSetting('extra_float_digits', extra_float_digits, /^[1-3]$/, '1', 'Floats would lose digits.'),
    ],
  },
}

/** A connection of `mysql2` or `mysql`. */
interface MysqlConnection {
  query(text: string, done: (error: Error | null, rows?: readonly Settings[]) => void): unknown
}

interface PostgresConnection {
  query(text: string): Promise<{ readonly rows: readonly Settings[] }>
}

function findWrongModes(mode: string): ReturnType<SessionCheck['findIssues']> {
  const modes = new Set(mode.split(','))
  const wrong = WRONG_MODES.filter(([name]) => modes.has(name)).map(([name, reason]) => ({
    message: `a connection has ${name} in its sql_mode. ${reason}`,
    remedy: `Remove ${name} from sql_mode, on the server or where the application sets it for its connections.`,
  }))
  return modes.has('STRICT_TRANS_TABLES') || modes.has('STRICT_ALL_TABLES') ? wrong : [...wrong, NOT_STRICT]
}

const WRONG_MODES = [
  [
    'NO_BACKSLASH_ESCAPES',
    'The driver escapes text with backslashes: clients could put SQL into statements of TypeORM.',
  ],
  ['ORACLE', 'Some functions and comparisons would have other results.'],
  ['EMPTY_STRING_IS_NULL', 'Empty text would be stored as null, and never found.'],
  ['PAD_CHAR_TO_FULL_LENGTH', 'Text of char columns would be read with added blanks.'],
] as const

const NOT_STRICT = {
  message:
    'a connection has neither STRICT_TRANS_TABLES nor STRICT_ALL_TABLES in its sql_mode. The database would truncate values that do not fit.',
  remedy: 'Add STRICT_TRANS_TABLES to sql_mode, on the server or where the application sets it for its connections.',
}

function findWrongCharacterSets(settings: Settings): ReturnType<SessionCheck['findIssues']> {
  return ['character_set_client', 'character_set_connection', 'character_set_results'].flatMap((name) =>
    settings[name] === 'utf8mb4'
      ? []
      : [
          {
            message: `a connection has ${name} '${settings[name]}'. Text would be lost or changed.`,
            remedy: `Set charset: 'utf8mb4' in the options of the DataSource, and remove statements that set another charset.`,
          },
        ],
  )
}

function wrongSetting(
  name: string,
  value: unknown,
  expected: RegExp,
  example: string,
  reason: string,
): ReturnType<SessionCheck['findIssues']> {
  if (expected.test(String(value))) return []
  return [
    {
      message: `a connection has ${name} '${value}'. ${reason}`,
      remedy: `Set ${name} to '${example}', for the role, the database, or in extra.options of the DataSource.`,
    },
  ]
}
