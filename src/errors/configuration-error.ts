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
export function buildOrThrowIssues<Result>(make: () => Result, found: readonly ConfigurationIssue[]): Result {
  const result = attempt(make)
  const issues = result instanceof ConfigurationError ? [...result.issues, ...found] : found
  if (result instanceof ConfigurationError || issues.length > 0) throw new ConfigurationError(issues)
  return result
}

function attempt<Result>(make: () => Result): Result | ConfigurationError {
  try {
    return make()
  } catch (error) {
    if (error instanceof ConfigurationError) return error
    throw error
  }
}
