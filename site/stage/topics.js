/**
 * The pages of exports: the entry point, the title, and the sources below src/ that declare the exports. The longest matching path decides.
 */
export const TOPICS = [
  topic('stemma', 'Server', [
    'express/',
    'graph/options/',
    'node-http/',
    'api-summary/',
    'openapi/',
    'errors/configuration-',
    'store/recommended-index',
  ]),
  topic('stemma', 'Resources', ['declarations/', 'graph/model/', 'document/']),
  topic('stemma', 'Definitions', ['definitions/', 'records/']),
  topic('stemma', 'Filters', ['query/', 'graph/model/filter-or-sort-function']),
  topic('stemma', 'Errors', ['errors/']),
  topic('stemma', 'Repeated requests', [
    'endpoints/idempotency',
    'store/idempotency-store',
    'store/typeorm/idempotency/',
  ]),
  topic('stemma', 'Database', ['store/typeorm/']),
  topic('stemma/client', 'client', ['client/']),
  topic('stemma/client', 'Requests', [
    'client/client-type',
    'client/paths',
    'client/query',
    'client/read',
    'client/send-request',
    'client/write',
  ]),
  topic('stemma/client', 'Filters', ['client/filter']),
  topic('stemma/client', 'Errors', ['client/request-error']),
  topic('stemma/testing', 'testing', ['testing/']),
  topic('stemma/sqlite3', 'sqlite3', ['store/typeorm/sqlite3/']),
]

function topic(module, title, sources) {
  const words = module.endsWith(title) ? module : `${module}-${title}`
  return { module, title, sources, name: words.replaceAll(/\W+/g, '-').toLowerCase() }
}

/** Returns the topic of an export. */
export function topicOf(module, name, source) {
  const matches = TOPICS.filter((topic) => topic.module === module).flatMap((topic) =>
    topic.sources.filter((path) => source.startsWith(path)).map((path) => ({ topic, length: path.length })),
  )
  const [longest] = matches.sort((one, other) => other.length - one.length)
  if (longest === undefined)
    throw new Error(`${name} of ${module} has no page. Add src/${source} to a topic in site/stage/topics.js.`)
  return longest.topic
}
