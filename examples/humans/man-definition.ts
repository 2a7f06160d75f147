import { JsonApiError, type ResourceRecord, type ResourceWrite } from 'stemma'
import { HumanDefinition } from './human-definition'
import { Man } from './man'
import { Woman } from './woman'

/** The rules of men. They apply at every endpoint that writes a man: `/men`, `/humans`, and his relationships. */
export class ManDefinition extends HumanDefinition<Man> {
  override readonly resource = Man

  override setToOne(write: ResourceWrite<Man>, relationship: string, related: ResourceRecord | null) {
    // `related` has the stored type, even if the request named it `{ type: 'humans' }`.
    if (relationship === 'bestFriend' && related?.instance instanceof Woman) {
      throw new JsonApiError({
        title: "A man's best friend must be a man.",
        detail: `The one with id '${related.id}' is a woman. Name a man, or null.`,
        field: 'bestFriend',
      })
    }
    return super.setToOne(write, relationship, related)
  }

  override beforeWrite(write: ResourceWrite<Man>) {
    // Does not apply to relationship endpoints, so that a man with a beard can change his friends.
    if ((write.kind === 'create' || write.kind === 'update') && write.values.hasBeard) {
      throw new JsonApiError({
        title: 'A man must be shaved.',
        detail: "'hasBeard' would be true after this request. Send it as false.",
        field: 'hasBeard',
      })
    }
    return super.beforeWrite(write)
  }
}
