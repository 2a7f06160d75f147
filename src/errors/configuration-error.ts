/** One mistake of a developer: where it is, what is wrong, and what to do. */
export interface ConfigurationIssue {
  /** A class, or a class and a property: `Man`, `Man.wife`. */
  readonly location: string
  readonly message: string
  readonly remedy: string
}

/**
 * The configuration can't be served. Thrown at start-up with all of its problems at once.
 *
 * `Man.wife: its target Woman is not registered. Add Woman to the resources of createJsonApi.`
 */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
  readonly issues: readonly ConfigurationIssue[]

  constructor(problems: readonly ConfigurationIssue[]) {
    super(problems.map(({ location, message, remedy }) => `${location}: ${message} ${remedy}`).join('\n'))
    this.issues = problems
  }
}

/** What comes of a step of the set-up, unless it or what was found before is wrong: then all mistakes are thrown together. */
export function collectConfigurationIssues<Made>(make: () => Made, found: readonly ConfigurationIssue[]): Made {
  const made = attempt(make)
  const problems = made instanceof ConfigurationError ? [...made.issues, ...found] : found
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
