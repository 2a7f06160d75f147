import type { ParsedApiUrl } from '../core/api-types'
import type { ExplorerApiModel } from '../core/explorer-api-model'
import { Operations } from '../operations/operations'
import { CollectionPage } from '../views/collection-page'
import { Overview } from '../views/overview'
import { RelationshipPage } from '../views/relationship-page'
import { ResourcePage } from '../views/resource-page'

interface ExplorerViewForUrlProps {
  readonly address: ParsedApiUrl
  readonly model: ExplorerApiModel
}

/** Chooses the view of a URL. The views of unknown URLs show the error of the API. */
export function ExplorerViewForUrl({ address, model }: ExplorerViewForUrlProps) {
  if (address.shape === 'collection' && address.type === model.operationsPath) return <Operations />
  const { shape, type, relationship } = address
  const field = relationship === '' ? undefined : model.fieldAt(type, relationship)
  switch (shape) {
    case 'root':
      return <Overview model={model} />
    case 'relationship':
      return field === undefined ? (
        <ResourcePage address={address} type={type} />
      ) : (
        <RelationshipPage address={address} field={field} />
      )
    case 'related':
      return field?.kind === 'toMany' ? (
        <CollectionPage address={address} type={field.target ?? type} />
      ) : (
        <ResourcePage address={address} type={field?.target ?? type} />
      )
    case 'collection':
      return <CollectionPage address={address} type={type} />
    default:
      return <ResourcePage address={address} type={type} />
  }
}
