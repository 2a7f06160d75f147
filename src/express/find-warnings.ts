import type { ConfigurationWarning } from '../errors/configuration-warning'
import type { StoredType } from '../graph/resource-graph'
import type { WantedIndex } from '../store/wanted-index'

/** What is known of an API that could be told to its developer. */
export interface Findings {
  readonly indexes: readonly WantedIndex[]
  readonly withOwnKey: readonly StoredType[]
  readonly differences: readonly ConfigurationWarning[]
}

export function findWarnings({ indexes, withOwnKey, differences }: Findings): readonly ConfigurationWarning[] {
  return [
    ...indexes.filter(({ isDeclared }) => !isDeclared).map(missingIndex),
    ...(withOwnKey.length === 0 ? [] : [ownEtagKey(withOwnKey)]),
    ...differences,
  ]
}

function missingIndex({ at, table, columns, serves }: WantedIndex): ConfigurationWarning {
  const place = `${table}(${columns.join(', ')})`
  return {
    kind: 'missingIndex',
    at,
    problem: `no index on ${place} is declared, so the whole table may be searched for ${serves.join(' and ')}.`,
    remedy: "Put @Index() beside it, or @Index('its name', { synchronize: false }) if migrations make it.",
  }
}

function ownEtagKey(types: readonly StoredType[]): ConfigurationWarning {
  const names = types.map(({ name }) => `'${name}'`).join(', ')
  return {
    kind: 'ownEtagKey',
    at: 'createJsonApi',
    problem: `it has no etagKey, so the ETags of ${names} hold in this process alone: others, and this one after a restart, answer them with 412.`,
    remedy: 'Give all processes one etagKey, or the types a version column.',
  }
}
