import { useMemo, useState } from 'preact/hooks'
import type { OpenApiSchema, OutgoingRequest, ReceivedApiResponse } from '../core/api-types'
import { joinApiPath } from '../core/api-url'
import { useModel } from '../core/context'
import { Labelled } from '../parts/labelled'
import { buildFieldsOfCreateForm, membersToSend, toRequestValueOfFormField } from './form-fields'
import { ResourceForm } from './resource-form'
import { useForm } from './use-form'

interface CreateFormProps {
  /** The type of the collection. */
  readonly type: string
  readonly onDone: (response: ReceivedApiResponse) => void
  readonly onCancel: () => void
}

/** The form for a new resource. In a hierarchy it asks for the type first. */
export function CreateForm({ type, ...rest }: CreateFormProps) {
  const model = useModel()
  const bodies = model.bodiesOf(model.operation('post', type))
  const types = [...bodies.keys()]
  const [chosen, setChosen] = useState(types[0] ?? type)
  return (
    <>
      {types.length > 1 && (
        <div class="form-type">
          <Labelled label="type">
            {(controlAttributes) => (
              <select
                {...controlAttributes}
                value={chosen}
                onChange={({ currentTarget }) => setChosen(currentTarget.value)}
              >
                {types.map((each) => (
                  <option key={each}>{each}</option>
                ))}
              </select>
            )}
          </Labelled>
        </div>
      )}
      <NewResource type={chosen} collection={type} schema={bodies.get(chosen) ?? {}} {...rest} />
    </>
  )
}

interface NewResourceProps extends CreateFormProps {
  readonly collection: string
  readonly schema: OpenApiSchema
}

function NewResource({ type, collection, schema, onDone, onCancel }: NewResourceProps) {
  const model = useModel()
  const form = useForm(useMemo(() => buildFieldsOfCreateForm(type, schema, model), [type, schema, model]))
  const request = (): OutgoingRequest => {
    const id = form.fields.find(({ section }) => section === 'id')
    const idValue = id && toRequestValueOfFormField(id, form.entryOf(id))
    const data = { type, ...(idValue !== undefined && { id: idValue }), ...membersToSend(form.fields, form.entryOf) }
    return { method: 'POST', url: joinApiPath(collection), body: { data } }
  }
  return <ResourceForm label={`Create ${type}`} form={form} request={request} onDone={onDone} onCancel={onCancel} />
}
