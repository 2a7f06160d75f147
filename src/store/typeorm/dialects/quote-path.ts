import type { Dialect } from './dialect'

/** `quotePath('other.humans', sqliteDialect)` -> `"other"."humans"` */
export function quotePath(tablePath: string, dialect: Dialect): string {
  return tablePath.split('.').map(dialect.quote).join('.')
}
