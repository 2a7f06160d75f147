import { JsonApiError, type ResourceRecord, type ResourceWrite } from 'stemma'
import { HumanDefinition } from './human-definition'
import { Woman } from './woman'

/** The rules of women. They apply at every endpoint that writes a woman: `/women`, `/humans`, and her relationships. */
export class WomanDefinition extends HumanDefinition<Woman> {
  override readonly resource = Woman

  override setToOne(write: ResourceWrite<Woman>, relationship: string, related: ResourceRecord | null) {
    // Deleting her husband is allowed. `origin` is the write of the client, if it is a write of another resource.
    if (relationship === 'husband' && related === null && write.origin?.kind !== 'delete') {
      throw new JsonApiError({
        title: 'A husband cannot be taken away.',
        detail: "Name another man as 'husband', or leave it out.",
        field: 'husband',
      })
    }
    return super.setToOne(write, relationship, related)
  }

  override beforeWrite(write: ResourceWrite<Woman>) {
    // `values` are the values after the write: those of the request, and the stored ones for other fields.
    if (write.kind !== 'delete' && write.values.maidenName == null) {
      throw new JsonApiError({
        title: 'A woman must have a maiden name.',
        detail: "'maidenName' would be null after this request. Send one.",
        field: 'maidenName',
      })
    }
    return super.beforeWrite(write)
  }
}
