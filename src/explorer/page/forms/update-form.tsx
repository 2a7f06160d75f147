import { useMemo, useState } from 'preact/hooks'
import type { OutgoingRequest, ReceivedApiResponse, ResourceObject } from '../core/api-types'
import { joinApiPath } from '../core/api-url'
import { useModel } from '../core/context'
import { hasSuccessStatus, send } from '../core/requests'
import { primaryResourcesOf } from '../core/resources'
import { announce } from '../parts/announce'
import { Value } from '../parts/value'
import { Conflict } from './conflict'
import { attributesNotEditableInForm, buildFieldsOfUpdateForm, membersToSend } from './form-fields'
import { ResourceForm } from './resource-form'
import { useForm } from './use-form'

/** The version of a resource that a form starts with. */
export interface EditedVersion {
  /** With all of its attributes. */
  readonly resource: ResourceObject
  readonly etag: string | null
  readonly labels: ReadonlyMap<string, string>
}

interface UpdateFormProps extends EditedVersion {
  readonly onDone: (response?: ReceivedApiResponse) => void
  readonly onCancel: () => void
}

/** The form for the values of a resource. It sends those that differ, if the stored version is still the shown one. */
export function UpdateForm({ resource, etag, labels, onDone, onCancel }: UpdateFormProps) {
  const model = useModel()
  const { type, id } = resource
  const schema = model.bodiesOf(model.operation('patch', type, '{id}')).get(type)
  const fields = useMemo(() => buildFieldsOfUpdateForm(resource, schema ?? {}, { model, labels }), [resource, schema])
  const form = useForm(fields)
  const [newer, setNewer] = useState<Omit<EditedVersion, 'labels'>>()
  const members = membersToSend(fields, form.entryOf)
  const requestWith = (version: string | null): OutgoingRequest => ({
    method: 'PATCH',
    url: joinApiPath(type, id),
    ifMatch: version,
    body: { data: { type, id, ...members } },
  })
  const loadNewer = async ({ status }: ReceivedApiResponse) => {
    if (status !== 412) return false
    const response = await send({ method: 'GET', url: joinApiPath(type, id) })
    const [stored] = primaryResourcesOf(response.document)
    if (!hasSuccessStatus(response) || stored === undefined) return false
    setNewer({ resource: stored, etag: response.headers.get('etag') })
    announce('The resource was changed meanwhile. Both versions are shown.')
    return true
  }
  return (
    <>
      {newer !== undefined && (
        <Conflict
          before={resource}
          stored={newer.resource}
          sent={members}
          overwrite={requestWith(newer.etag)}
          onDone={onDone}
          onContinue={() => setNewer(undefined)}
        />
      )}
      <div hidden={newer !== undefined}>
        <ResourceForm
          label={`Save ${type} ${id}`}
          form={form}
          request={() => requestWith(etag)}
          handle={loadNewer}
          onDone={onDone}
          onCancel={onCancel}
        >
          <ReadOnly
            resource={resource}
            names={attributesNotEditableInForm(type, fields, model).map(({ name }) => name)}
          />
        </ResourceForm>
      </div>
    </>
  )
}

function ReadOnly({ resource: { attributes = {} }, names }: { resource: ResourceObject; names: readonly string[] }) {
  const shown = names.filter((name) => Object.hasOwn(attributes, name))
  if (shown.length === 0) return null
  return (
    <dl class="resource-fields form-read-only" aria-label="Read-only">
      {shown.flatMap((name) => [
        <dt key={name}>
          {name} <span class="hint">read-only</span>
        </dt>,
        <dd key={`${name} value`}>
          <Value value={attributes[name]} />
        </dd>,
      ])}
    </dl>
  )
}
