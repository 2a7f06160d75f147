import { useState } from 'preact/hooks'
import type { FieldInfo, ReceivedApiResponse, ResourceObject } from '../core/api-types'
import { joinApiPath } from '../core/api-url'
import { useModel } from '../core/context'
import { linkageToIdentifierList, toManyHasMoreMembers } from '../core/resources'
import { type EditedVersion, UpdateForm } from '../forms/update-form'
import { AcceptedNotice } from '../parts/accepted-notice'
import { Icon } from '../parts/icon'
import { Value } from '../parts/value'
import { toIdentifiersWithLabels } from '../relationships/identifier-with-label'
import { RelationshipEditor } from '../relationships/relationship-editor'
import { DeleteButton } from './delete-button'
import type { ResourceDetailState } from './use-resource-detail'

interface ResourceDetailProps {
  /** With the fields that are shown. */
  readonly resource: ResourceObject
  /** With all fields. */
  readonly detail: ResourceDetailState
  readonly onChanged: () => Promise<void>
  readonly onDeleted: () => void
}

/** A resource: its attributes, its relationships, and forms to change both. */
export function ResourceDetail({ resource, detail, onChanged, onDeleted }: ResourceDetailProps) {
  const fields = useModel().types.get(resource.type)?.fields ?? []
  // The version at the start of the change: a newer one must not replace what the form compares with.
  const [edited, setEdited] = useState<EditedVersion>()
  const [response, setResponse] = useState<ReceivedApiResponse>()
  const changed = async (received?: ReceivedApiResponse) => {
    setEdited(undefined)
    setResponse(received)
    await Promise.all([detail.reload(), onChanged()])
  }
  return (
    <article class="resource" aria-label={`${resource.type} ${resource.id}`}>
      {edited !== undefined ? (
        <UpdateForm {...edited} onCancel={() => setEdited(undefined)} onDone={(received) => void changed(received)} />
      ) : (
        <>
          <Actions
            resource={resource}
            detail={detail}
            onEdit={setEdited}
            onDeleted={onDeleted}
            onChanged={(received) => void changed(received)}
          />
          <AcceptedNotice response={response} />
          <Attributes resource={resource} fields={fields.filter(({ kind }) => kind === 'attribute')} />
          <Relationships
            resource={resource}
            detail={detail}
            fields={fields.filter(({ kind }) => kind !== 'attribute')}
            onChanged={() => changed()}
          />
        </>
      )}
    </article>
  )
}

interface ActionsProps extends Omit<ResourceDetailProps, 'onChanged'> {
  readonly onChanged: (response?: ReceivedApiResponse) => void
  readonly onEdit: (version: EditedVersion) => void
}

function Actions({ resource, detail, onEdit, onDeleted, onChanged }: ActionsProps) {
  const model = useModel()
  const { resource: whole, etag, labels } = detail
  const { type } = resource
  const canChange = model.bodiesOf(model.operation('patch', type, '{id}')).has(type)
  const canDelete = model.operation('delete', type, '{id}') !== undefined
  if (!canChange && !canDelete) return null
  return (
    <div class="actions">
      {canChange && (
        <button
          type="button"
          disabled={whole === undefined}
          onClick={() => whole && onEdit({ resource: whole, etag, labels })}
        >
          <Icon name="edit" />
          Edit
        </button>
      )}
      {canDelete && <DeleteButton resource={resource} etag={etag} onDeleted={onDeleted} onKept={onChanged} />}
    </div>
  )
}

interface FieldsProps {
  readonly resource: ResourceObject
  readonly fields: readonly FieldInfo[]
}

function Attributes({ resource: { id, attributes = {} }, fields }: FieldsProps) {
  const shown = fields.filter(({ name }) => Object.hasOwn(attributes, name))
  return (
    <dl class="resource-fields">
      <dt>id</dt>
      <dd>
        <code>{id}</code>
      </dd>
      {shown.flatMap(({ name }) => [
        <dt key={name}>{name}</dt>,
        <dd key={`${name} value`}>
          <Value value={attributes[name]} />
        </dd>,
      ])}
    </dl>
  )
}

type RelationshipsProps = FieldsProps & Pick<ResourceDetailProps, 'detail' | 'onChanged'>

function Relationships({ resource, fields, detail, onChanged }: RelationshipsProps) {
  const { relationships = {} } = resource
  const shown = fields.filter(({ name }) => Object.hasOwn(relationships, name))
  if (shown.length === 0) return null
  return (
    <section class="resource-relationships" aria-label="Relationships">
      <h3>Relationships</h3>
      {shown.map((field) => (
        <Relationship key={field.name} resource={resource} field={field} detail={detail} onChanged={onChanged} />
      ))}
    </section>
  )
}

type RelationshipProps = Omit<RelationshipsProps, 'fields'> & { readonly field: FieldInfo }

function Relationship({ resource, field, detail, onChanged }: RelationshipProps) {
  const { type, id, relationships } = resource
  const { name, kind, target = '' } = field
  const model = useModel()
  const has = (...path: readonly string[]) => model.operation('get', type, '{id}', ...path) !== undefined
  const loaded = detail.resource?.relationships?.[name]
  const relationship = loaded ?? relationships?.[name] ?? {}
  const { data, meta } = relationship
  const members = toIdentifiersWithLabels(linkageToIdentifierList(data), detail.labels)
  const isCut = toManyHasMoreMembers(members.length, relationship)
  const count = typeof meta?.total === 'number' ? ` · ${meta.total}` : isCut ? ` · more than ${members.length}` : ''
  return (
    <section class="relationship" aria-label={name}>
      <h4>
        {has(name) ? (
          <a href={joinApiPath(type, id, name)} aria-label={`${name}: related`}>
            {name}
          </a>
        ) : (
          name
        )}
        <span class="hint">{kind === 'toOne' ? target : `${target}${count}`}</span>
        {has('relationships', name) && (
          <a
            class="relationship-linkage"
            href={joinApiPath(type, id, 'relationships', name)}
            aria-label={`${name}: linkage`}
          >
            <Icon name="link" />
          </a>
        )}
      </h4>
      {data === undefined ? (
        has(name) && (
          <a class="cell-link" href={joinApiPath(type, id, name)}>
            {name} →
          </a>
        )
      ) : (
        <RelationshipEditor
          owner={{ type, id }}
          field={field}
          // The shown URL may have a filter, the other request has none.
          shown={{ members, isPartial: isCut || loaded === undefined, etag: undefined }}
          onChanged={onChanged}
        />
      )}
    </section>
  )
}
