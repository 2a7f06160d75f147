/** An index by which the database finds rows that the API looks for. */
export interface RecommendedIndex {
  /** With its schema, as the database has it. */
  readonly table: string
  readonly columns: readonly string[]
  /** The class and property that `@Index()` can stand beside: `Member.team`. */
  readonly declareAt: string
  /** What looks for rows by it: `teams.members`, `deletions of teams`. */
  readonly usedBy: readonly string[]
  /** Whether an entity says that there is one that begins with these columns. */
  readonly isDeclared: boolean
  /** The statement that makes it, under the name that TypeORM would give it. */
  readonly sql: string
}
