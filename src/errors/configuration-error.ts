/** One fault of a configuration: location, message, remedy. */
export interface ConfigurationIssue {
  /** A class, or a class and a property: `Man`, `Man.wife`. */
  readonly location: string
  readonly message: string
  readonly remedy: string
}

/**
 * Thrown at startup if the configuration is invalid, with all its issues.
 *
 * `Man.wife: its target Woman is not registered. Add Woman to the resources of createJsonApi.`
 */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
  readonly issues: readonly ConfigurationIssue[]

  constructor(issues: readonly ConfigurationIssue[]) {
    super(issues.map(({ location, message, remedy }) => `${location}: ${message} ${remedy}`).join('\n'))
    this.issues = issues
  }
}

/** Runs a startup step and returns its result. Throws its issues together with those found before. */
export function buildOrThrowIssues<Made>(make: () => Made, found: readonly ConfigurationIssue[]): Made {
  const made = attempt(make)
  const issues = made instanceof ConfigurationError ? [...made.issues, ...found] : found
  if (made instanceof ConfigurationError || issues.length > 0) throw new ConfigurationError(issues)
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
