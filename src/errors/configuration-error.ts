/** One mistake of a developer: where it is, what is wrong, and what to do. */
export interface ConfigurationProblem {
  /** A class, or a class and a property: `Man`, `Man.wife`. */
  readonly at: string
  readonly problem: string
  readonly remedy: string
}

/**
 * The configuration can't be served. Thrown at start-up with all of its problems at once.
 *
 * `Man.wife: its target Woman is not registered. Add Woman to the resources of createJsonApi.`
 */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
  readonly problems: readonly ConfigurationProblem[]

  constructor(problems: readonly ConfigurationProblem[]) {
    super(problems.map(({ at, problem, remedy }) => `${at}: ${problem} ${remedy}`).join('\n'))
    this.problems = problems
  }
}
