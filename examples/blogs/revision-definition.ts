import { ResourceDefinition, type ResourceWrite } from 'stemma'
import { Revision } from './revision'

export class RevisionDefinition extends ResourceDefinition<Revision> {
  readonly resource = Revision

  /** Sets the default of `createdAt`: the current time. */
  override prepareWrite({ kind }: ResourceWrite<Revision>) {
    return kind === 'create' ? { createdAt: new Date() } : undefined
  }
}
