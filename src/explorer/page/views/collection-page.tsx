import type { ParsedApiUrl, ResourceIdentifierObject } from '../core/api-types'
import { useModel } from '../core/context'
import { navigate } from '../core/navigation'
import { collectLabelsInDocument, keyOf, primaryResourcesOf } from '../core/resources'
import { ColumnChooser } from '../table/column-chooser'
import { Pages } from '../table/pages'
import { ResourceTable } from '../table/resource-table'
import { useTableColumns } from '../table/use-table-columns'
import { CollectionHeading } from './collection-heading'
import {
  CollectionSidePanel,
  parseSidePanelHash,
  type SidePanelContent,
  urlFragmentOfResource,
} from './collection-panel'
import { Included } from './included'
import { ResponseFrame } from './response-frame'
import { useViewResponse } from './use-view-response'

interface CollectionPageProps {
  readonly address: ParsedApiUrl
  /** The type of the resources: of the collection, or the related type. */
  readonly type: string
}

/** A collection, or the resources of a to-many relationship. */
export function CollectionPage({ address, type }: CollectionPageProps) {
  const model = useModel()
  const viewResponse = useViewResponse(address)
  const { shown: document } = viewResponse
  const resources = primaryResourcesOf(document)
  const { columns, menu } = useTableColumns(resources, type, model)
  const panel = parseSidePanelHash(address.hash)
  const { show, close } = usePanel(address, panel)
  return (
    <div class={`data-page${panel === undefined ? '' : ' with-panel'}`}>
      <ResponseFrame
        address={address}
        heading={<CollectionHeading address={address} />}
        type={type}
        viewResponse={viewResponse}
        onReload={() => void viewResponse.reload()}
        view="Table"
        tools={resources.length > 0 && <ColumnChooser {...menu} />}
      >
        {document !== undefined && resources.length === 0 && <p class="empty">No resources match.</p>}
        {resources.length > 0 && (
          <ResourceTable
            caption={type}
            resources={resources}
            columns={columns}
            search={address.search}
            labels={collectLabelsInDocument(document, model)}
            shown={typeof panel === 'object' ? keyOf(panel) : undefined}
            onOpen={show}
          />
        )}
        {document !== undefined && <Pages document={document} search={address.search} />}
        {document !== undefined && <Included document={document} />}
      </ResponseFrame>
      {panel !== undefined && (
        <CollectionSidePanel
          panel={panel}
          type={typeof panel === 'string' ? address.type : type}
          onClose={close}
          onShow={show}
          onChanged={viewResponse.reloadAfterWrite}
        />
      )}
    </div>
  )
}

/** Opens and closes the side panel. The focus returns to the row. */
function usePanel({ url }: ParsedApiUrl, panel: SidePanelContent | undefined) {
  return {
    show: ({ type, id }: ResourceIdentifierObject) => navigate(url + urlFragmentOfResource({ type, id })),
    close: () => {
      const row = typeof panel === 'object' ? `[data-row="${CSS.escape(keyOf(panel))}"]` : `a[href="#${panel}"]`
      navigate(url, () => document.querySelector<HTMLElement>(row)?.focus({ preventScroll: true }))
    },
  }
}
