import { useEffect, useId, useState } from 'preact/hooks'
import { API_ROOT_URL } from '../core/api-url'
import { removeSecretQueryParameters } from '../core/credentials'
import { navigate } from '../core/navigation'
import { addResponseListener } from '../core/requests'
import { announce } from '../parts/announce'
import { Dialog } from '../parts/dialog'
import { Icon } from '../parts/icon'
import {
  clearLog,
  deleteSavedQuery,
  loggedRequests,
  type RequestHistoryEntry,
  type SavedQuery,
  savedQueries,
  saveQuery,
  saveRequestToHistory,
} from './request-log'

/** The button and dialog for requests of the past, and queries with a name. Logs requests while it is drawn. */
export function HistoryAndSavedQueriesButton() {
  const [isOpen, setOpen] = useState(false)
  useEffect(
    () =>
      addResponseListener((request, response) => {
        const isShown = request.url === location.pathname + location.search
        if (request.method !== 'GET' || isShown) saveRequestToHistory(request, response)
      }),
    [],
  )
  return (
    <>
      <button type="button" class="bar-button" onClick={() => setOpen(true)}>
        <Icon name="history" />
        <span class="wide">History</span>
      </button>
      {isOpen && (
        <Dialog title="History and saved queries" class="history-dialog" onClose={() => setOpen(false)}>
          <Lists onOpen={() => setOpen(false)} />
        </Dialog>
      )}
    </>
  )
}

function Lists({ onOpen }: { readonly onOpen: () => void }) {
  const [, setVersion] = useState(0)
  const change = () => setVersion((version) => version + 1)
  const [saved, logged] = [savedQueries(), loggedRequests()]
  const run = (url: string) => {
    onOpen()
    if (url === location.pathname + location.search) location.reload()
    else navigate(url)
  }
  return (
    <div class="history">
      <SaveForm onSave={change} />
      <section aria-label="Saved queries">
        <h3>Saved queries</h3>
        {saved.length === 0 && <p class="hint">None yet.</p>}
        <ul class="history-list">
          {saved.map((query) => (
            <SavedItem key={query.name} query={query} run={run} onDelete={change} />
          ))}
        </ul>
      </section>
      <section aria-label="History">
        <h3>History</h3>
        <p class="hint">
          The last requests of this browser. Bodies and credentials are not stored, so writes can be opened but not
          repeated.
        </p>
        <ol class="history-list">
          {logged.map((request) => (
            <LoggedItem key={`${request.method} ${request.url}`} request={request} run={run} />
          ))}
        </ol>
        {logged.length > 0 && (
          <button
            type="button"
            onClick={() => {
              clearLog()
              change()
              announce('The history is cleared.')
            }}
          >
            Clear the history
          </button>
        )}
      </section>
    </div>
  )
}

function SaveForm({ onSave }: { readonly onSave: () => void }) {
  const [name, setName] = useState('')
  const [mistake, setMistake] = useState('')
  const id = useId()
  const url = removeSecretQueryParameters(location.pathname + location.search)
  const save = (event: Event) => {
    event.preventDefault()
    if (name.trim() === '') return setMistake('Enter a name.')
    if (!saveQuery({ name: name.trim(), url })) return setMistake('The browser has no space for more queries.')
    setMistake('')
    setName('')
    announce('The query is saved.')
    onSave()
  }
  return (
    <form class="history-save" aria-label="Save the shown query" onSubmit={save}>
      <label for={id}>Save the shown query under a name</label>
      <code class="history-url">{relative(url)}</code>
      <div class="history-inputs">
        <input
          id={id}
          maxLength={80}
          value={name}
          aria-invalid={mistake === '' ? undefined : 'true'}
          aria-describedby={`${id}-error`}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
        <button type="submit" class="primary">
          Save
        </button>
      </div>
      <p class="input-error" id={`${id}-error`} role="alert">
        {mistake}
      </p>
    </form>
  )
}

interface SavedItemProps {
  readonly query: SavedQuery
  readonly run: (url: string) => void
  readonly onDelete: () => void
}

function SavedItem({ query: { name, url }, run, onDelete }: SavedItemProps) {
  const remove = () => {
    deleteSavedQuery(name)
    announce(`${name} is deleted.`)
    onDelete()
  }
  return (
    <li>
      <button type="button" class="history-run" onClick={() => run(url)}>
        <strong>{name}</strong>
        <code class="history-url">{relative(url)}</code>
      </button>
      <button type="button" class="icon-button" aria-label={`Delete ${name}`} onClick={remove}>
        <Icon name="trash" />
      </button>
    </li>
  )
}

interface LoggedItemProps {
  readonly request: RequestHistoryEntry
  readonly run: (url: string) => void
}

function LoggedItem({ request: { method, url, status, milliseconds, at }, run }: LoggedItemProps) {
  const isGood = status >= 200 && status < 400
  return (
    <li>
      <button type="button" class="history-run" onClick={() => run(url)}>
        <span class="history-facts">
          <strong>{method}</strong> <span class={isGood ? 'good' : 'bad'}>{status}</span> {milliseconds} ms{' '}
          <time dateTime={at}>{new Date(at).toLocaleString()}</time>
        </span>
        <code class="history-url">{relative(url)}</code>
      </button>
    </li>
  )
}

/** Returns a URL below the API, readable. */
function relative(url: string): string {
  const path = url.startsWith(API_ROOT_URL.pathname) ? `/${url.slice(API_ROOT_URL.pathname.length)}` : url
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
