import type { DeleteResource } from '../request/intent/intent'
import { type EndpointResult, NO_CONTENT } from '../response/endpoint-result'
import type { RequestUrl } from '../response/links'
import type { Api } from './api'
import { checkCondition } from './check-condition'
import { executeWrite } from './execute-write'
import { lockTarget, toStoredRecord } from './find-target'
import { performWrite } from './perform-write'
import { withPreference } from './prefer'

/** DELETE /humans/1. https://jsonapi.org/format/1.1/#crud-deleting */
export function deleteResource(
  { target, condition, preference }: DeleteResource,
  api: Api,
  requestUrl: RequestUrl,
): Promise<EndpointResult> {
  return performWrite(api, requestUrl, async (writeContext) => {
    const row = await lockTarget(target, writeContext.transaction, writeContext.rules)
    await checkCondition(condition, row, 'resource', writeContext, api)
    const stored = toStoredRecord(row)
    const executed = await executeWrite(
      { kind: 'delete', type: stored.type, stored, attributes: new Map(), links: [] },
      api.definitions,
      writeContext,
    )
    return { executed, toResult: async () => withPreference(NO_CONTENT, preference) }
  })
}
