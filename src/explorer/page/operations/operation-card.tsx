import { useState } from 'preact/hooks'
import { joinApiPath } from '../core/api-url'
import type { ExplorerApiModel } from '../core/explorer-api-model'
import { Icon } from '../parts/icon'
import { formatApiErrorObject } from '../parts/response-errors'
import { AtomicOperationForm } from './atomic-operation-form'
import { parseOperationJsonToFormDraft } from './from-operation'
import { ATOMIC_OPERATION_KIND_LABELS, type AtomicOperationListItem } from './operation-form-draft'
import type { OperationStatus } from './outcomes'
import { convertDraftToOperationOrMistake } from './to-operation'

interface OperationCardProps {
  readonly entry: AtomicOperationListItem
  readonly number: number
  readonly model: ExplorerApiModel
  readonly outcome: OperationStatus | undefined
  /** What prevents the operation from being sent, or `''`. */
  readonly mistake: string
  readonly onChange: (entry: AtomicOperationListItem) => void
  readonly onRemove: () => void
  /** `undefined` for the first one. */
  readonly onRaise: (() => void) | undefined
}

/** An operation of the list, as a form or as JSON, with its result. */
export function OperationCard(props: OperationCardProps) {
  const { entry, number, model, outcome, mistake, onChange, onRemove, onRaise } = props
  const title = `Operation ${number}`
  const state = outcome === undefined ? '' : ` is-${outcome.kind}`
  return (
    <li class={`operations-card${state}`} aria-label={title}>
      <header class="operations-head">
        <h2>
          {number}. {entry.json === undefined ? ATOMIC_OPERATION_KIND_LABELS[entry.draft.kind] : 'JSON'}
        </h2>
        <FormatSwitch {...{ entry, number, model, onChange }} />
        <button type="button" aria-label={`Move ${title} up`} disabled={onRaise === undefined} onClick={onRaise}>
          ↑
        </button>
        <button type="button" class="icon-button" aria-label={`Delete ${title}`} onClick={onRemove}>
          <Icon name="trash" />
        </button>
      </header>
      {entry.json === undefined ? (
        <AtomicOperationForm
          draft={entry.draft}
          number={number}
          model={model}
          onChange={(draft) => onChange({ ...entry, draft })}
        />
      ) : (
        <textarea
          class="code"
          aria-label={`JSON of operation ${number}`}
          aria-invalid={mistake === '' ? undefined : 'true'}
          spellcheck={false}
          rows={8}
          value={entry.json}
          onInput={({ currentTarget }) => onChange({ ...entry, json: currentTarget.value })}
        />
      )}
      {mistake !== '' && (
        <p class="input-error" role="alert">
          {mistake}
        </p>
      )}
      {outcome !== undefined && <OutcomeView outcome={outcome} />}
    </li>
  )
}

function FormatSwitch({
  entry,
  number,
  model,
  onChange,
}: Pick<OperationCardProps, 'entry' | 'number' | 'model' | 'onChange'>) {
  const [mistake, setMistake] = useState('')
  const change = () => {
    if (entry.json === undefined) {
      const { operation, mistake: found = '' } = convertDraftToOperationOrMistake(entry, model)
      setMistake(found)
      if (found === '') onChange({ ...entry, json: JSON.stringify(operation, null, 2) })
      return
    }
    const draft = parseOperationJsonToFormDraft(entry.json, model)
    setMistake(draft === undefined ? 'The form cannot show this operation.' : '')
    if (draft !== undefined) onChange({ ...entry, draft, json: undefined })
  }
  return (
    <>
      <span class="input-error">{mistake}</span>
      <button
        type="button"
        class="quiet"
        aria-label={`Edit as ${entry.json === undefined ? 'JSON' : 'a form'}: operation ${number}`}
        onClick={change}
      >
        {entry.json === undefined ? 'Edit as JSON' : 'Edit as a form'}
      </button>
    </>
  )
}

function OutcomeView({ outcome }: { readonly outcome: OperationStatus }) {
  if (outcome.kind === 'rolledBack') return <p class="hint">Not performed: another operation failed.</p>
  if (outcome.kind === 'failed') {
    return (
      <ul class="errors">
        {outcome.errors.map((error) => (
          <li key={formatApiErrorObject(error)}>
            {formatApiErrorObject(error)} <code>{error.source?.pointer}</code>
          </li>
        ))}
      </ul>
    )
  }
  const data = outcome.result?.data
  return (
    <p class="operations-result">
      <Icon name="check" /> Done.{' '}
      {data != null && (
        <a href={joinApiPath(data.type, data.id)}>
          {data.type} {data.id}
        </a>
      )}
    </p>
  )
}
