export { type CrawlFinding, type CrawlOptions, type CrawlResult, crawl } from './testing/crawl'
export { createLintingFetch } from './testing/create-linting-fetch'
export type { Exchange, Finding, HeadersLike, LintOptions } from './testing/exchange'
export { assertExchange, LintError, lintExchange } from './testing/lint-exchange'
export {
  REQUIREMENTS,
  type RequirementId,
  type RequirementLevel,
  type SpecificationRequirement,
} from './testing/requirements'
