import { setTimeout as wait } from 'node:timers/promises'
import type { DataSource } from 'typeorm'
import type { DatabaseName, Layout } from '../shared/databases'
import { docState } from './client'
import { ACCOUNTS, START_BALANCE } from './model'
import type { State } from './write-log'

// Checks the database without the library.

type Rows = readonly Readonly<Record<string, unknown>>[]

export class DatabaseInspector {
  private readonly dataSource: DataSource
  private readonly database: DatabaseName
  private readonly layout: Layout
  private readonly schema: string | undefined

  constructor(dataSource: DataSource, database: DatabaseName, layout: Layout) {
    this.dataSource = dataSource
    this.database = database
    this.layout = layout
    this.schema = (dataSource.options as { schema?: string }).schema
  }

  /** Waits until the database server has executed all statements. `pids`: the processes that are running. */
  async waitForEnd(pids: readonly number[]): Promise<void> {
    if (this.database === 'sqlite') return
    for (let quiet = 0; quiet < 2; ) {
      const [row] = await (this.database === 'postgres' ? this.busyConnections(pids) : this.transactions())
      quiet = Number(row?.count) === 0 ? quiet + 1 : 0
      // MariaDB caches its list of transactions for a tenth of a second.
      if (quiet < 2) await wait(this.database === 'postgres' ? 5 : 110)
    }
  }

  /** Includes connections of processes that have ended. */
  private busyConnections(pids: readonly number[]): Promise<Rows> {
    const running = ['', ...pids].map((pid) => `'${this.schema}_${pid}'`)
    return this.dataSource.query(
      `select count(*) as count from pg_stat_activity where starts_with(application_name, '${this.schema}_')
      and (state <> 'idle' or application_name not in (${running.join()}))`,
    )
  }

  private transactions(): Promise<Rows> {
    return this.queryWhenReady(
      'select count(*) as count from information_schema.innodb_trx t join information_schema.processlist p on p.id = t.trx_mysql_thread_id where p.db = database()',
    )
  }

  /** Returns the states of the objects, in the format of the write log. */
  async find(objects: readonly string[] | 'all'): Promise<ReadonlyMap<string, State>> {
    const states = new Map<string, State>()
    for (const kind of ['docs', 'seats', 'entries', 'events'] as const) {
      const keys =
        objects === 'all'
          ? undefined
          : objects.filter((object) => object.startsWith(`${kind} `)).map((object) => object.slice(kind.length + 1))
      if (keys === undefined) await this[kind]('', states)
      else
        for (let from = 0; from < keys.length; from += 500)
          await this[kind](
            keys
              .slice(from, from + 500)
              .map((key) => `'${key}'`)
              .join(),
            states,
          )
    }
    return states
  }

  private async docs(keys: string, states: Map<string, State>): Promise<void> {
    const rows = await this.read(`select * from ${DOCS[this.layout]} d${where('d.id', keys)}`)
    const junctionRows = await this.read(`select [leftKey], [rightKey] from [#docs_tags]${where('[leftKey]', keys)}`)
    const tags = new Map<string, string[]>()
    for (const { leftKey, rightKey } of junctionRows)
      tags.set(String(leftKey), [...(tags.get(String(leftKey)) ?? []), String(rightKey)])
    for (const { id, kind, ...columns } of rows) {
      const columnNames = COLUMNS[String(kind)] ?? []
      const numbers = new Set(columnNames.map((name) => String(columns[name])))
      const state = docState(String(kind).toLowerCase(), Number([...numbers][0]), tags.get(String(id)) ?? [])
      states.set(
        `docs ${id}`,
        numbers.size === 1 ? state : `${state}, but the tables have different values: ${[...numbers].join()}`,
      )
    }
  }

  private async seats(keys: string, states: Map<string, State>): Promise<void> {
    for (const { id, holderKey } of await this.read(`select id, [holderKey] from [#seats]${where('id', keys)}`))
      states.set(`seats ${id}`, holderKey === null ? 'none' : String(holderKey))
  }

  private async entries(keys: string, states: Map<string, State>): Promise<void> {
    for (const { id, fromKey, toKey, amount } of await this.read(
      `select id, [fromKey], [toKey], amount from [#entries]${where('id', keys)}`,
    ))
      states.set(`entries ${id}`, `${fromKey} ${toKey} ${amount}`)
  }

  private async events(keys: string, states: Map<string, State>): Promise<void> {
    for (const { token, times } of await this.read(
      `select token, count(*) as times from [#events]${where('token', keys)} group by token`,
    ))
      states.set(`events ${token}`, String(times))
  }

  /** Checks invariants of the whole database, and returns the violations. */
  async problems(): Promise<readonly string[]> {
    const problems: string[] = []
    const accounts = await this.read(
      `select a.id, a.balance, a.version,
      (select coalesce(sum(amount), 0) from [#entries] where [toKey] = a.id) as received, (select count(*) from [#entries] where [toKey] = a.id) as [in],
      (select coalesce(sum(amount), 0) from [#entries] where [fromKey] = a.id) as spent, (select count(*) from [#entries] where [fromKey] = a.id) as [out]
      from [#accounts] a`,
    )
    const sum = accounts.reduce((total, { balance }) => total + Number(balance), 0)
    if (sum !== ACCOUNTS * START_BALANCE) problems.push(`The balances add up to ${sum}.`)
    for (const { id, balance, version, received, spent, in: gains, out } of accounts) {
      const expected = START_BALANCE + Number(received) - Number(spent)
      if (Number(balance) !== expected)
        problems.push(`The account ${id} has ${balance}, its entries add up to ${expected}.`)
      const writes = 1 + Number(gains) + Number(out)
      if (Number(version) !== writes)
        problems.push(`The account ${id} has the version ${version}, its entries add up to ${writes}.`)
    }
    for (const [label, text] of inconsistenciesOf(this.layout)) {
      const [row] = await this.read(text)
      if (Number(row?.count) !== 0) problems.push(`${label}: ${row?.count}.`)
    }
    return problems
  }

  /** Runs SQL in which `[name]` is a quoted identifier, and `[#name]` a quoted table name. */
  private read(text: string): Promise<Rows> {
    const [open, close] = this.database === 'mariadb' ? ['`', '`'] : ['"', '"']
    const table = this.schema === undefined ? '' : `"${this.schema}".`
    const quoted = (_all: string, mark: string, name: string) => `${mark === '#' ? table : ''}${open}${name}${close}`
    return this.queryWhenReady(text.replaceAll(/\[(#?)(\w+)\]/g, quoted))
  }

  /** A node of Galera refuses statements for a moment whenever another node joins or leaves. */
  private async queryWhenReady(text: string): Promise<Rows> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.dataSource.query(text)
      } catch (error) {
        if (tries === TRIES || (error as { readonly errno?: number }).errno !== NODE_NOT_READY) throw error
        await wait(200)
      }
    }
  }
}

const NODE_NOT_READY = 1047
/** Five times a second, for a minute. */
const TRIES = 300

const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  Memos: ['inDocs', 'inMemos'],
  Letters: ['inDocs', 'inLetters'],
  Notices: ['inDocs', 'inLetters', 'inNotices'],
}

/** The documents of each layout, with the columns of all types. */
const DOCS: Readonly<Record<Layout, string>> = {
  single: '[#docs]',
  joined: `(select d.id, d.kind, d.[inDocs], m.[inMemos], l.[inLetters], n.[inNotices] from [#docs] d
    left join [#memos] m on m.id = d.id left join [#letters] l on l.id = d.id left join [#notices] n on n.id = d.id)`,
  // PostgreSQL takes the type of a column from the first two parts.
  concrete: `(select id, 'Notices' as kind, [inDocs], null as [inMemos], [inLetters], [inNotices] from [#notices]
    union all select id, 'Memos', [inDocs], [inMemos], null, null from [#memos]
    union all select id, 'Letters', [inDocs], null, [inLetters], null from [#letters])`,
}

/** Finds partial rows, ids of several documents, junction rows without their row, and seats with the wrong number of holders. */
function inconsistenciesOf(layout: Layout): readonly (readonly [label: string, text: string])[] {
  const partialRows = [
    ['Memos without a document', 'select count(*) as count from [#memos] where id not in (select id from [#docs])'],
    ['Letters without a document', 'select count(*) as count from [#letters] where id not in (select id from [#docs])'],
    [
      'Notices without a letter',
      'select count(*) as count from [#notices] where id not in (select id from [#letters])',
    ],
  ] as const
  return [
    ...(layout === 'joined' ? partialRows : []),
    [
      'Ids of several documents',
      `select count(*) as count from (select id from ${DOCS[layout]} d group by id having count(*) > 1) x`,
    ],
    [
      'Junction rows without a document',
      `select count(*) as count from [#docs_tags] where [leftKey] not in (select id from ${DOCS[layout]} d)`,
    ],
    [
      'People with two seats',
      'select count(*) as count from (select [holderKey] from [#seats] where [holderKey] is not null group by [holderKey] having count(*) > 1) x',
    ],
  ]
}

function where(column: string, keys: string): string {
  return keys === '' ? '' : ` where ${column} in (${keys})`
}
