import { JsonApiError, type ResourceWrite, type StoredRecord } from 'stemma'
import { HumanDefinition } from './human-definition'
import { Woman } from './woman'

/** The rules of women. They hold whichever endpoint a woman is written by: `/women`, `/humans`, or one of her relationships. */
export class WomanDefinition extends HumanDefinition<Woman> {
  override readonly resource = Woman

  override setToOne(write: ResourceWrite<Woman>, relationship: string, right: StoredRecord | null) {
    // A widow stays: `origin` tells what the client has written where it is not this woman.
    if (relationship === 'husband' && right === null && write.origin?.kind !== 'delete') {
      throw new JsonApiError({
        title: 'A husband cannot be taken away.',
        detail: "Name another man as 'husband', or leave it out.",
        field: 'husband',
      })
    }
    return super.setToOne(write, relationship, right)
  }

  override beforeWrite(write: ResourceWrite<Woman>) {
    // `values` are the final ones: what was sent, and for all else what is stored.
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
