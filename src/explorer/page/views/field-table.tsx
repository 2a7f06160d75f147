import type { FieldInfo } from '../core/api-types'
import { joinApiPath } from '../core/api-url'
import { useModel } from '../core/context'
import { formatSchemaType, schemaAllowsNull } from '../core/schema'
import { TextWithInlineCode } from '../parts/text-with-inline-code'

/** The fields of a type: what they are, and what they can be used for. */
export function FieldTable({ name }: { readonly name: string }) {
  const fields = useModel().types.get(name)?.fields ?? []
  const isDescribed = fields.some(({ description }) => description !== undefined)
  const heads = ['field', 'what it is', 'null', 'can be used to', ...(isDescribed ? ['description'] : [])]
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area needs the focus to be scrolled with keys.
    <section class="table-scroll" aria-label={`Fields of ${name}`} tabIndex={0}>
      <table class="field-table">
        <caption class="unseen">Fields of {name}</caption>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {fields.map((field) => (
            <FieldRow key={field.name} field={field} isDescribed={isDescribed} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

function FieldRow({ field, isDescribed }: { readonly field: FieldInfo; readonly isDescribed: boolean }) {
  const { name, kind, target, schema, capabilities, description, isOwn } = field
  return (
    <tr>
      <th scope="row">
        {name}
        {schema.deprecated === true && <span class="badge">deprecated</span>}
        {!isOwn && <span class="hint"> inherited</span>}
      </th>
      <td>
        {kind === 'attribute' && formatSchemaType(schema)}
        {target !== undefined && (
          <>
            {kind === 'toOne' ? 'one of ' : 'many '}
            <a href={joinApiPath(target)}>{target}</a>
          </>
        )}
      </td>
      <td>{schemaAllowsNull(schema) ? 'yes' : 'no'}</td>
      <td>{capabilities.join(', ')}</td>
      {isDescribed && (
        <td>
          <TextWithInlineCode text={description} />
        </td>
      )}
    </tr>
  )
}
