import type { JsonObject, JsonValue } from '../../document/json'
import { type Pointer, pointerTo } from '../../document/pointer'
import type { CreateContext } from '../body/read-resource-object'
import { readAll, readObject, type SentValue, shapeError } from '../body/read-shape'
import { parseEntityTags } from '../http/entity-tags'
import { type Condition, tokensOf } from '../http/read-condition'
import type { ReturnPreference } from '../http/read-preference'
import type { Operation } from '../intent/intent'
import { type LocalHistory, localScopeAt } from './local-history'
import { OPERATION_CODES, type OperationCode, readOperationIntent } from './operation-intent'
import { type OperationTargetContext, readOperationTarget } from './operation-target'

/** The context in which all operations of a document are read. */
export interface OperationSources
  extends Pick<OperationTargetContext, 'graph' | 'hrefBase'>,
    Pick<CreateContext, 'isHidden' | 'providesDefaults' | 'onValues' | 'document' | 'maxIdentifiers'> {
  readonly history: LocalHistory
  readonly preference: ReturnPreference | undefined
}

/** https://jsonapi.org/ext/atomic/#operation-objects */
export function readOperation(sent: SentValue, index: number, sources: OperationSources): Operation {
  const { pointer } = sent
  const object = readObject(sent.value, pointer)
  const locals = localScopeAt(index, sources.history)
  const said = readAll({
    op: () => readOp(object.op, pointer),
    target: () => readOperationTarget(object, pointer, { ...sources, locals }),
    condition: () => readMeta(object.meta, pointer),
  })
  const data = { value: object.data, pointer: pointerTo(pointer, 'data') }
  const intent = readOperationIntent({ ...said, data, index, pointer }, { ...sources, locals })
  return { intent, pointer, added: intent.kind === 'createResource' ? locals.created : undefined }
}

function readOp(value: JsonValue | undefined, pointer: Pointer): OperationCode {
  const op = OPERATION_CODES.find((each) => each === value)
  if (op !== undefined) return op
  const place = value === undefined ? pointer : pointerTo(pointer, 'op')
  throw shapeError(place, "one of 'add', 'update' and 'remove' as 'op'", value)
}

function readMeta(value: JsonValue | undefined, pointer: Pointer): Condition {
  const meta: JsonObject = value === undefined ? {} : readObject(value, pointerTo(pointer, 'meta'))
  return readVersion(meta.version, pointer)
}

/** Reads `version` in the `meta` of an operation: the version of an earlier result, the ETag of a GET, or `*`. */
function readVersion(version: JsonValue | undefined, operation: Pointer): Condition {
  if (version === undefined) return { kind: 'unsaid', pointer: operation }
  const pointer = pointerTo(operation, 'meta', 'version')
  if (typeof version !== 'string') throw shapeError(pointer, 'a version, an ETag or *, as a string', version)
  if (version.trim() === '*') return { kind: 'any', pointer }
  const tags = parseEntityTags(version)
  return { kind: 'states', tokens: tags.length === 0 ? new Set([version]) : tokensOf(tags), pointer }
}
