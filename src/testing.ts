export type { Exchange, Finding, HeaderFields, LintOptions } from './testing/exchange'
export { assertExchange, ExchangeError, lintExchange } from './testing/lint-exchange'
export { lintedFetch } from './testing/linted-fetch'
export { type Level, REQUIREMENTS, type Requirement, type RequirementId } from './testing/requirements'
