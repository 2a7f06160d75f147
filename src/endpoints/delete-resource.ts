import type { DeleteResource } from '../request/intent'
import type { Requested } from '../response/links'
import { NO_CONTENT, type Reply } from '../response/reply'
import type { Api } from './api'
import { checkCondition } from './check-condition'
import { findLocked, toStoredRecord } from './find-target'
import { performWrite } from './perform-write'
import { withPreference } from './prefer'
import { runWrite } from './run-write'

/** DELETE /humans/1. https://jsonapi.org/format/1.1/#crud-deleting */
export function deleteResource(
  { target, condition, preference }: DeleteResource,
  api: Api,
  requested: Requested,
): Promise<Reply> {
  return performWrite(api, requested, async (looking) => {
    const row = await findLocked(target, looking.transaction, looking.rules)
    await checkCondition(condition, row, 'resource', looking, api)
    const stored = toStoredRecord(row)
    const done = await runWrite(
      { kind: 'delete', type: stored.type, stored, attributes: new Map(), links: [] },
      api.definitions,
      looking,
    )
    return { done, answer: async () => withPreference(NO_CONTENT, preference) }
  })
}
