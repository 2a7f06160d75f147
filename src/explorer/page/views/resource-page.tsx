import type { ParsedApiUrl, ResourceObject } from '../core/api-types'
import { joinApiPath } from '../core/api-url'
import { useModel } from '../core/context'
import { navigate } from '../core/navigation'
import { keyOf, labelOfResource, primaryResourcesOf } from '../core/resources'
import { ResourceDetail } from '../resource/resource-detail'
import { useResourceDetail } from '../resource/use-resource-detail'
import { Breadcrumbs } from './breadcrumbs'
import { Included } from './included'
import { ResponseFrame } from './response-frame'
import { useViewResponse } from './use-view-response'

interface ResourcePageProps {
  readonly address: ParsedApiUrl
  readonly type: string
}

/** A resource, or the resource of a to-one relationship. */
export function ResourcePage({ address, type }: ResourcePageProps) {
  const model = useModel()
  const viewResponse = useViewResponse(address)
  const { shown: document } = viewResponse
  const [resource] = primaryResourcesOf(document)
  const label = resource && labelOfResource(resource, model)
  return (
    <div class="data-page">
      <ResponseFrame
        address={address}
        heading={<Breadcrumbs address={address}>{label && <span class="heading-label">{label}</span>}</Breadcrumbs>}
        type={type}
        viewResponse={viewResponse}
        onReload={() => void viewResponse.reload()}
        view="Fields"
      >
        {document?.data === null && <p class="empty">The relationship is empty.</p>}
        {resource !== undefined && (
          <Shown key={keyOf(resource)} resource={resource} onChanged={viewResponse.reloadAfterWrite} />
        )}
        {document !== undefined && <Included document={document} />}
      </ResponseFrame>
    </div>
  )
}

function Shown({
  resource,
  onChanged,
}: {
  readonly resource: ResourceObject
  readonly onChanged: () => Promise<void>
}) {
  const detail = useResourceDetail(resource)
  return (
    <ResourceDetail
      resource={resource}
      detail={detail}
      onChanged={onChanged}
      onDeleted={() => navigate(joinApiPath(resource.type))}
    />
  )
}
