import { useEffect, useRef, useState } from 'preact/hooks'
import type { OutgoingRequest, ReceivedApiResponse, ResourceObject } from '../core/api-types'
import { hasSuccessStatus, send } from '../core/requests'
import { announceWriteToScreenReader } from '../parts/accepted-notice'
import { ResponseErrors } from '../parts/response-errors'
import { Value } from '../parts/value'

interface ConflictProps {
  /** The version that the form started with. */
  readonly before: ResourceObject
  readonly stored: ResourceObject
  /** The attributes and relationships that the form wants to store. */
  readonly sent: Readonly<Record<string, unknown>>
  /** Stores them in spite of the newer version. */
  readonly overwrite: OutgoingRequest
  /** `response`: `undefined` if the values of the form were not sent. */
  readonly onDone: (response?: ReceivedApiResponse) => void
  readonly onContinue: () => void
}

/** Compares the values of a form with those that another client has stored meanwhile. */
export function Conflict({ before, stored, sent, overwrite, onDone, onContinue }: ConflictProps) {
  const [isSending, setSending] = useState(false)
  const [failure, setFailure] = useState<ReceivedApiResponse>()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const save = async () => {
    setSending(true)
    const response = await send(overwrite)
    setSending(false)
    announceWriteToScreenReader(response, 'Saved', 'The request failed.')
    if (hasSuccessStatus(response)) onDone(response)
    else setFailure(response)
  }
  return (
    <section class="conflict" aria-label="Conflict">
      <h3 ref={heading} tabIndex={-1}>
        Changed by another client
      </h3>
      <p>The resource was changed while you were editing it. Nothing of yours is stored yet.</p>
      <Versions rows={rowsOf(before, stored, sent)} />
      <ResponseErrors response={failure} />
      <div class="actions">
        <button type="button" onClick={onContinue}>
          Back to the form
        </button>
        <button type="button" onClick={() => onDone()}>
          Keep the stored version
        </button>
        <button type="button" class="primary" disabled={isSending} onClick={() => void save()}>
          Store my values
        </button>
      </div>
    </section>
  )
}

interface VersionRow {
  readonly name: string
  readonly before: unknown
  readonly stored: unknown
  readonly mine: unknown
}

function Versions({ rows }: { readonly rows: readonly VersionRow[] }) {
  return (
    <div class="table-scroll">
      <table class="conflict-versions">
        <caption class="unseen">The versions of the fields that differ</caption>
        <thead>
          <tr>
            {['field', 'before', 'stored now', 'yours'].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, before, stored, mine }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>
                <Value value={before} />
              </td>
              <td class={isSame(before, stored) ? undefined : 'conflict-changed'}>
                <Value value={stored} />
              </td>
              <td class={isSame(before, mine) ? undefined : 'conflict-changed'}>
                <Value value={mine} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** The attributes that either side has changed, and the relationships that the form changes. */
function rowsOf(before: ResourceObject, stored: ResourceObject, sent: ConflictProps['sent']): readonly VersionRow[] {
  const attributes = entriesOf(sent.attributes)
  const names = new Set([...Object.keys(stored.attributes ?? {}), ...attributes.keys()])
  const rows = [...names].map((name) => {
    const [old, current] = [before.attributes?.[name], stored.attributes?.[name]]
    return { name, before: old, stored: current, mine: attributes.has(name) ? attributes.get(name) : current }
  })
  const relationships = [...entriesOf(sent.relationships)].map(([name, mine]) => ({
    name,
    before: before.relationships?.[name]?.data,
    stored: stored.relationships?.[name]?.data,
    mine: entriesOf(mine).get('data'),
  }))
  return [...rows, ...relationships].filter((row) => !isSame(row.before, row.stored) || !isSame(row.stored, row.mine))
}

function entriesOf(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(value ?? {}))
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
