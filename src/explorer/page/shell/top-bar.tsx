import { useEffect, useState } from 'preact/hooks'
import { AuthorizeButton } from '../authorize/authorize'
import { API_ROOT_URL, joinApiPath } from '../core/api-url'
import { savedCredentials } from '../core/credentials'
import type { ExplorerApiModel } from '../core/explorer-api-model'
import { HistoryAndSavedQueriesButton } from '../history/history-and-saved-queries-button'
import { Icon } from '../parts/icon'

interface TopBarProps {
  /** `undefined` before the OpenAPI document is loaded, and if it is refused. */
  readonly model: ExplorerApiModel | undefined
  /** The text of the OpenAPI document, if it is loaded. */
  readonly openApi: string | undefined
  readonly onCredentials: () => void
  readonly isMenuOpen: boolean
  readonly onMenu: () => void
}

export function TopBar({ model, openApi, onCredentials, isMenuOpen, onMenu }: TopBarProps) {
  return (
    <header class="top">
      {model !== undefined && (
        <button
          type="button"
          class="icon-button top-menu"
          aria-label="Types"
          aria-expanded={isMenuOpen}
          aria-controls="types"
          onClick={onMenu}
        >
          <Icon name={isMenuOpen ? 'close' : 'menu'} />
        </button>
      )}
      <a class="brand" href={API_ROOT_URL.pathname}>
        {model?.info.title ?? 'Explorer'} <span class="version">{model?.info.version}</span>
      </a>
      <div class="top-actions">
        <AuthorizeButton onChange={onCredentials} />
        {model !== undefined && <HistoryAndSavedQueriesButton />}
        {model?.operationsPath !== undefined && (
          <a class="bar-button" href={joinApiPath(model.operationsPath)}>
            <Icon name="layers" />
            <span class="wide">Operations</span>
          </a>
        )}
        <OpenApiLink text={openApi} />
      </div>
    </header>
  )
}

/** A link sends no credentials that were entered here. With such credentials, it opens a copy of the loaded document. */
function OpenApiLink({ text }: { readonly text: string | undefined }) {
  const [copy, setCopy] = useState<string>()
  const copied = savedCredentials().length > 0 ? text : undefined
  useEffect(() => {
    if (copied === undefined) return
    const url = URL.createObjectURL(new Blob([copied], { type: 'application/json' }))
    setCopy(url)
    return () => {
      setCopy(undefined)
      URL.revokeObjectURL(url)
    }
  }, [copied])
  return (
    <a class="bar-button" href={copy ?? joinApiPath('openapi.json')} target="_blank" rel="noreferrer">
      <Icon name="open" />
      <span class="wide">OpenAPI</span>
    </a>
  )
}
