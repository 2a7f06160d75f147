import type { DeleteResource } from '../request/intent'
import { NO_CONTENT, type Reply } from '../response/reply'
import type { Api } from './api'
import { findRecord } from './find-target'
import { performWrite } from './perform-write'
import { runWrite } from './run-write'

/** DELETE /humans/1. https://jsonapi.org/format/1.1/#crud-deleting */
export function deleteResource({ target }: DeleteResource, api: Api): Promise<Reply> {
  return performWrite(api, async (looking) => {
    const stored = await findRecord(target, looking.transaction, looking.rules)
    const done = await runWrite(
      { kind: 'delete', type: stored.type, stored, attributes: new Map(), links: [] },
      api.definitions.of(stored.type),
      looking,
    )
    return { done, value: NO_CONTENT }
  })
}
