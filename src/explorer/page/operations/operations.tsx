import { useState } from 'preact/hooks'
import { CopyAs } from '../copy/copy-as'
import type { OutgoingRequest, ReceivedApiResponse } from '../core/api-types'
import { joinApiPath } from '../core/api-url'
import { useModel } from '../core/context'
import type { ExplorerApiModel } from '../core/explorer-api-model'
import { formatStatus, hasSuccessStatus, send } from '../core/requests'
import { useUnsavedChanges } from '../core/unsaved-changes'
import { announce } from '../parts/announce'
import { Icon } from '../parts/icon'
import { ResponseErrors } from '../parts/response-errors'
import { OperationCard } from './operation-card'
import {
  type AtomicOperationKind,
  type AtomicOperationListItem,
  listTypesForOperation,
  newOperationFormDraft,
} from './operation-form-draft'
import { type OperationStatusesAndErrors, readAtomicOperationOutcomes } from './outcomes'
import { convertDraftToOperationOrMistake } from './to-operation'

/** Builds a request with several operations, sends it, and shows what became of each. */
export function Operations() {
  const model = useModel()
  const [entries, setEntries] = useState<readonly AtomicOperationListItem[]>(() => [newEntry([], model)])
  const [saved, setSaved] = useState(entries)
  useUnsavedChanges(entries !== saved)
  const [mistakes, setMistakes] = useState<ReadonlyMap<number, string>>(new Map())
  const [result, setResult] = useState<Result>()
  const [isSending, setSending] = useState(false)
  const change = (next: readonly AtomicOperationListItem[]) => {
    setEntries(next)
    setResult(undefined)
    setMistakes(new Map())
  }
  const read = entries.map((entry) => ({ key: entry.key, ...convertDraftToOperationOrMistake(entry, model) }))
  const request = toRequest(read, model)
  const submit = async () => {
    const found = read.flatMap(({ key, mistake }) => (mistake === undefined ? [] : [[key, mistake] as const]))
    setMistakes(new Map(found))
    if (found.length > 0) return announce('An operation is not complete.')
    setSending(true)
    const response = await send(request)
    setSending(false)
    setResult({ response, entries, outcomes: readAtomicOperationOutcomes(response, entries.length) })
    if (hasSuccessStatus(response)) setSaved(entries)
    announce(hasSuccessStatus(response) ? 'All operations are done.' : `The request failed. ${consequenceOf(response)}`)
  }
  return (
    <div class="operations">
      <h1>Several writes at once</h1>
      <p class="lead">The server performs all of these operations in one transaction, or none.</p>
      <ol class="operations-list">
        {entries.map((entry, index) => (
          <OperationCard
            key={entry.key}
            entry={entry}
            number={index + 1}
            model={model}
            outcome={result?.entries === entries ? result.outcomes.all[index] : undefined}
            mistake={mistakes.get(entry.key) ?? ''}
            onChange={(next) => change(entries.with(index, next))}
            onRemove={() => change(entries.toSpliced(index, 1))}
            onRaise={index === 0 ? undefined : () => change(entries.toSpliced(index, 1).toSpliced(index - 1, 0, entry))}
          />
        ))}
      </ol>
      <div class="actions">
        <button type="button" onClick={() => change([...entries, newEntry(entries, model)])}>
          <Icon name="add" /> Add an operation
        </button>
        <button
          type="button"
          class="primary"
          disabled={isSending || entries.length === 0}
          onClick={() => void submit()}
        >
          Send {entries.length} {entries.length === 1 ? 'operation' : 'operations'}
        </button>
      </div>
      {result !== undefined && <ResultView {...result} />}
      <details>
        <summary>Copy the request as code</summary>
        <CopyAs request={request} />
      </details>
    </div>
  )
}

interface Result {
  readonly response: ReceivedApiResponse
  /** The operations that were sent. They may have changed while the response was awaited. */
  readonly entries: readonly AtomicOperationListItem[]
  readonly outcomes: OperationStatusesAndErrors
}

function ResultView({ response, outcomes }: Result) {
  const isDone = hasSuccessStatus(response)
  return (
    <section aria-label="Result">
      <p class={isDone ? 'good' : 'bad'}>
        {formatStatus(response)}
        {!isDone && `. ${consequenceOf(response)}`}
      </p>
      {!isDone && (outcomes.all.length === 0 || outcomes.errors.length > 0) && (
        <ResponseErrors response={response} errors={outcomes.errors} />
      )}
    </section>
  )
}

/** Without a response, the server may have performed the operations. */
function consequenceOf({ status }: ReceivedApiResponse): string {
  return status === 0 ? 'Check whether the operations were performed.' : 'Nothing has changed.'
}

const ATOMIC_MEDIA_TYPE = 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"'

function toRequest(
  read: readonly { readonly operation?: unknown }[],
  { operationsPath = '' }: ExplorerApiModel,
): OutgoingRequest {
  const operations = read.flatMap(({ operation }) => (operation === undefined ? [] : [operation]))
  return {
    method: 'POST',
    url: joinApiPath(operationsPath),
    body: { 'atomic:operations': operations },
    mediaType: ATOMIC_MEDIA_TYPE,
  }
}

/** The first kind of operation that the API allows for any type. */
function newEntry(entries: readonly AtomicOperationListItem[], model: ExplorerApiModel): AtomicOperationListItem {
  const kinds: readonly AtomicOperationKind[] = ['add', 'update', 'remove', 'setLinkage']
  const kind = kinds.find((each) => listTypesForOperation(each, model).length > 0) ?? 'add'
  const last = entries.at(-1)?.draft.resource.type
  const types = listTypesForOperation(kind, model)
  const type = last !== undefined && types.includes(last) ? last : (types[0] ?? '')
  const key = Math.max(0, ...entries.map((entry) => entry.key)) + 1
  return { key, draft: newOperationFormDraft(kind, type, model), json: undefined }
}
