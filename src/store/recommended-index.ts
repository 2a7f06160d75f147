/** An index that statements of the API use. */
export interface RecommendedIndex {
  /** With its schema, as the database has it. */
  readonly table: string
  readonly columns: readonly string[]
  /** The class and property that can have `@Index()`: `Member.team`. */
  readonly declareAt: string
  /** The lookups that use the index: `teams.members`, `deletions of teams`. */
  readonly usedBy: readonly string[]
  /** True if an entity declares an index that begins with these columns. */
  readonly isDeclared: boolean
  /** The statement that makes it, under the name that TypeORM would give it. */
  readonly sql: string
}
