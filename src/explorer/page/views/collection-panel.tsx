import { useState } from 'preact/hooks'
import type { ReceivedApiResponse, ResourceIdentifierObject } from '../core/api-types'
import { joinApiPath, parseApiUrl } from '../core/api-url'
import { useModel } from '../core/context'
import { keyOf, primaryResourcesOf } from '../core/resources'
import { CreateForm } from '../forms/create-form'
import { AcceptedNotice, hasAcceptedStatus } from '../parts/accepted-notice'
import { Icon } from '../parts/icon'
import { ResponseErrors } from '../parts/response-errors'
import { TypeDot } from '../parts/value'
import { ResourceDetail } from '../resource/resource-detail'
import { useResourceDetail } from '../resource/use-resource-detail'
import { ClosableSidePanel } from './closable-side-panel'
import { FieldTable } from './field-table'

/** What the fragment of the URL shows beside the table: `#new`, `#fields`, or a resource: `#/men/1`. */
export type SidePanelContent = 'new' | 'fields' | ResourceIdentifierObject

export function parseSidePanelHash(hash: string): SidePanelContent | undefined {
  if (hash === '#new' || hash === '#fields') return hash === '#new' ? 'new' : 'fields'
  if (!hash.startsWith('#/')) return undefined
  const { shape, type, id } = parseApiUrl(joinApiPath('') + hash.slice(2)) ?? {}
  return shape === 'individual' && type !== undefined && id !== undefined ? { type, id } : undefined
}

export function urlFragmentOfResource({ type, id }: ResourceIdentifierObject): string {
  return `#/${encodeURIComponent(type)}/${encodeURIComponent(id)}`
}

interface CollectionSidePanelProps {
  readonly panel: SidePanelContent
  readonly type: string
  readonly onClose: () => void
  /** Shows another panel. */
  readonly onShow: (resource: ResourceIdentifierObject) => void
  /** Loads the table again. */
  readonly onChanged: () => Promise<void>
}

export function CollectionSidePanel({ panel, ...props }: CollectionSidePanelProps) {
  const { type, onClose, onChanged } = props
  if (panel === 'fields') {
    return (
      <ClosableSidePanel title={`Fields of ${type}`} onClose={onClose}>
        <FieldTable name={type} />
      </ClosableSidePanel>
    )
  }
  if (panel === 'new') return <CreatePanel {...props} />
  return <DetailPanel key={keyOf(panel)} of={panel} onClose={onClose} onChanged={onChanged} />
}

/** The form for a new resource, then the resource. If the server creates it only later, the panel says so. */
function CreatePanel({ type, onClose, onShow, onChanged }: Omit<CollectionSidePanelProps, 'panel'>) {
  const [accepted, setAccepted] = useState<ReceivedApiResponse>()
  const show = (response: ReceivedApiResponse) => {
    void onChanged()
    const [created] = primaryResourcesOf(response.document)
    if (hasAcceptedStatus(response)) setAccepted(response)
    else if (created === undefined) onClose()
    else onShow(created)
  }
  return (
    <ClosableSidePanel title={`New in ${type}`} onClose={onClose}>
      <AcceptedNotice response={accepted} />
      {accepted === undefined && <CreateForm type={type} onCancel={onClose} onDone={show} />}
    </ClosableSidePanel>
  )
}

type DetailPanelProps = Pick<CollectionSidePanelProps, 'onClose' | 'onChanged'> & {
  readonly of: ResourceIdentifierObject
}

function DetailPanel({ of, onClose, onChanged }: DetailPanelProps) {
  const model = useModel()
  const detail = useResourceDetail(of)
  const { response, resource, labels } = detail
  const label = labels.get(keyOf(of)) ?? ''
  const title = (
    <>
      <TypeDot type={of.type} />
      {label} <span class="resource-link-id">{`${of.type} ${of.id}`}</span>
    </>
  )
  const open = model.operation('get', of.type, '{id}') !== undefined && (
    <a class="icon-button" href={joinApiPath(of.type, of.id)} aria-label="Open as a page" title="Open as a page">
      <Icon name="open" />
    </a>
  )
  return (
    <ClosableSidePanel title={title} tools={open} onClose={onClose}>
      {resource !== undefined && (
        <ResourceDetail
          resource={resource}
          detail={detail}
          onChanged={onChanged}
          onDeleted={() => {
            void onChanged()
            onClose()
          }}
        />
      )}
      {resource === undefined && <ResponseErrors response={response} />}
    </ClosableSidePanel>
  )
}
