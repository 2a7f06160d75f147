/** An index that statements of the API use. */
export interface RecommendedIndex {
  /** The name of the table in the database, with its schema. */
  readonly table: string
  readonly columns: readonly string[]
  /** The class and property that can have `@Index()`: `Member.team`. */
  readonly declareAt: string
  /** The lookups that use the index: `teams.members`, `deletions of teams`. */
  readonly usedBy: readonly string[]
  /** True if an entity declares an index that begins with these columns. */
  readonly isDeclared: boolean
  /** The statement that creates the index, with the name that TypeORM would use. */
  readonly sql: string
}
