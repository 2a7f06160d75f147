import { ResourceDefinition, type ResourceWrite } from 'stemma'
import { Revision } from './revision'

export class RevisionDefinition extends ResourceDefinition<Revision> {
  readonly resource = Revision

  /** A revision is of now, unless the request says otherwise. */
  override prepareWrite({ kind }: ResourceWrite<Revision>) {
    return kind === 'create' ? { createdAt: new Date() } : undefined
  }
}
