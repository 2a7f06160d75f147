// The types as CommonJS sees them.
import stemma = require('stemma')

class Rules extends stemma.ResourceDefinition {
  readonly resource = Rules
  override beforeWrite(write: stemma.ResourceWrite): void {
    if (write.kind === 'delete') throw new stemma.JsonApiError({ title: 'Nothing goes.' })
  }
}

export const definitions: stemma.ResourceDefinition[] = [new Rules()]
// @ts-expect-error: a wrong option must be found, or the types have turned into `any` on the way.
stemma.createJsonApi({ nonsense: true })
