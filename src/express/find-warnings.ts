import type { ConfigurationWarning } from '../errors/configuration-warning'
import type { StoredType } from '../graph/model/resource-graph'
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
    message: `no index on ${place} is declared, so the whole table may be searched for ${usedBy.join(' and ')}.`,
    remedy: "Put @Index() beside it, or @Index('its name', { synchronize: false }) if migrations make it.",
  }
}

function missingEtagSecret(types: readonly StoredType[]): ConfigurationWarning {
  const names = types.map(({ name }) => `'${name}'`).join(', ')
  return {
    kind: 'missing-etag-secret',
    location: 'createJsonApi',
    message: `it has no etagSecret, so the ETags of ${names} hold in this process alone: others, and this one after a restart, answer them with 412.`,
    remedy: 'Give all processes one etagSecret, or the types a version column.',
  }
}
