import type { FieldInfo, ParsedApiUrl } from '../core/api-types'
import { joinApiPath } from '../core/api-url'
import { useModel } from '../core/context'
import {
  collectLabelsInDocument,
  primaryResourcesOf,
  queryStringHasFilter,
  toManyHasMoreMembers,
} from '../core/resources'
import { useResponse } from '../core/use-response'
import { toIdentifiersWithLabels } from '../relationships/identifier-with-label'
import { RelationshipEditor } from '../relationships/relationship-editor'
import { Pages } from '../table/pages'
import { Breadcrumbs } from './breadcrumbs'
import { ResponseFrame } from './response-frame'
import { useViewResponse } from './use-view-response'

interface RelationshipPageProps {
  readonly address: ParsedApiUrl
  readonly field: FieldInfo
}

/** The linkage of a relationship, with forms to change it. */
export function RelationshipPage({ address, field }: RelationshipPageProps) {
  const model = useModel()
  const { type, id, relationship, search } = address
  const viewResponse = useViewResponse(address)
  const { shown: document } = viewResponse
  // The linkage has identifiers only. The related resources have the texts that people know them by.
  const related = useResponse(joinApiPath(type, id, relationship) + search)
  const labels = collectLabelsInDocument(related.response?.document, model)
  const members = toIdentifiersWithLabels(primaryResourcesOf(document), labels)
  const reload = async (load: () => Promise<void>) => {
    await Promise.all([load(), related.reload()])
  }
  return (
    <div class="data-page">
      <ResponseFrame
        address={address}
        heading={<Breadcrumbs address={address} />}
        type={field.target ?? type}
        viewResponse={viewResponse}
        onReload={() => void reload(viewResponse.reload)}
        view="Members"
      >
        {document !== undefined && (
          <div class="relationship-page">
            <RelationshipEditor
              owner={{ type, id }}
              field={field}
              shown={{
                members,
                isPartial: toManyHasMoreMembers(members.length, document) || queryStringHasFilter(search),
                etag: viewResponse.response?.headers.get('etag') ?? null,
              }}
              onChanged={() => reload(viewResponse.reloadAfterWrite)}
            />
            {field.kind === 'toMany' && <Pages document={document} search={search} />}
          </div>
        )}
      </ResponseFrame>
    </div>
  )
}
