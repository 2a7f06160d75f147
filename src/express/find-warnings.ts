import type { ConfigurationWarning } from '../errors/configuration-warning'
import type { StoredType } from '../graph/resource-graph'
import type { RecommendedIndex } from '../store/recommended-index'

/** What is known of an API that could be told to its developer. */
export interface Findings {
  readonly indexes: readonly RecommendedIndex[]
  readonly withProcessEtagSecret: readonly StoredType[]
  readonly differences: readonly ConfigurationWarning[]
}

export function findWarnings({
  indexes,
  withProcessEtagSecret,
  differences,
}: Findings): readonly ConfigurationWarning[] {
  return [
    ...indexes.filter(({ isDeclared }) => !isDeclared).map(missingIndex),
    ...(withProcessEtagSecret.length === 0 ? [] : [missingEtagSecret(withProcessEtagSecret)]),
    ...differences,
  ]
}

function missingIndex({ declareAt, table, columns, usedBy }: RecommendedIndex): ConfigurationWarning {
  const place = `${table}(${columns.join(', ')})`
  return {
    kind: 'missing-index',
    location: declareAt,
    message: `no index on ${place} is declared, so the database may scan the whole table for ${usedBy.join(' and ')}.`,
    remedy: "Put @Index() beside it, or @Index('its name', { synchronize: false }) if migrations make it.",
  }
}

function missingEtagSecret(types: readonly StoredType[]): ConfigurationWarning {
  const names = types.map(({ name }) => `'${name}'`).join(', ')
  return {
    kind: 'missing-etag-secret',
    location: 'createJsonApi',
    message: `it has no etagSecret, so the ETags of ${names} are valid in this process only: other processes, and this one after a restart, answer 412.`,
    remedy: 'Give all processes one etagSecret, or the types a version column.',
  }
}
