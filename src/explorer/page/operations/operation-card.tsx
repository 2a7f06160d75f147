import { useState } from 'preact/hooks'
import type { ApiModel } from '../core/api-model'
import { buildApiPath } from '../core/api-url'
import { Icon } from '../parts/icon'
import { errorText } from '../parts/problems'
import { KINDS, type OperationEntry } from './draft'
import { toDraft } from './from-operation'
import { OperationForm } from './operation-form'
import type { Outcome } from './outcomes'
import { readEntry } from './to-operation'

export interface OperationCardProps {
  readonly entry: OperationEntry
  readonly number: number
  readonly model: ApiModel
  readonly outcome: Outcome | undefined
  /** What prevents the operation from being sent, or `''`. */
  readonly mistake: string
  readonly onChange: (entry: OperationEntry) => void
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
          {number}. {entry.json === undefined ? KINDS[entry.draft.kind] : 'JSON'}
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
        <OperationForm
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
      const { operation, mistake: found = '' } = readEntry(entry, model)
      setMistake(found)
      if (found === '') onChange({ ...entry, json: JSON.stringify(operation, null, 2) })
      return
    }
    const draft = toDraft(entry.json, model)
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

function OutcomeView({ outcome }: { readonly outcome: Outcome }) {
  if (outcome.kind === 'rolledBack') return <p class="hint">Not performed: another operation failed.</p>
  if (outcome.kind === 'failed') {
    return (
      <ul class="problems">
        {outcome.errors.map((error) => (
          <li key={errorText(error)}>
            {errorText(error)} <code>{error.source?.pointer}</code>
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
        <a href={buildApiPath(data.type, data.id)}>
          {data.type} {data.id}
        </a>
      )}
    </p>
  )
}
