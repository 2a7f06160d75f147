// The types as ES modules see them.
import { createJsonApi, JsonApiError, ResourceDefinition, type ResourceWrite } from 'stemma'

class Rules extends ResourceDefinition {
  readonly resource = Rules
  override beforeWrite(write: ResourceWrite): void {
    if (write.kind === 'delete') throw new JsonApiError({ title: 'Nothing goes.' })
  }
}

export const definitions: ResourceDefinition[] = [new Rules()]
// @ts-expect-error: a wrong option must be found, or the types have turned into `any` on the way.
createJsonApi({ nonsense: true })
