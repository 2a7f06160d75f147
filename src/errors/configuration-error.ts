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

/** What comes of a step of the set-up, unless it or what was found before is wrong: then all mistakes are thrown together. */
export function setUp<Made>(make: () => Made, found: readonly ConfigurationProblem[]): Made {
  const made = attempt(make)
  const problems = made instanceof ConfigurationError ? [...made.problems, ...found] : found
  if (made instanceof ConfigurationError || problems.length > 0) throw new ConfigurationError(problems)
  return made
}

function attempt<Made>(make: () => Made): Made | ConfigurationError {
  try {
    return make()
  } catch (error) {
    if (error instanceof ConfigurationError) return error
    throw error
  }
}
