import { Authorize } from '../authorize/authorize'
import type { ApiModel } from '../core/api-model'
import { API_ROOT_URL, buildApiPath } from '../core/api-url'
import { History } from '../history/history'
import { Icon } from '../parts/icon'

export interface TopBarProps {
  /** `undefined` before the OpenAPI document is loaded, and if it is refused. */
  readonly model: ApiModel | undefined
  readonly onCredentials: () => void
  readonly isMenuOpen: boolean
  readonly onMenu: () => void
}

export function TopBar({ model, onCredentials, isMenuOpen, onMenu }: TopBarProps) {
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
        <Authorize onChange={onCredentials} />
        {model !== undefined && <History />}
        {model?.operationsPath !== undefined && (
          <a class="bar-button" href={buildApiPath(model.operationsPath)}>
            <Icon name="layers" />
            <span class="wide">Operations</span>
          </a>
        )}
        <a class="bar-button" href={buildApiPath('openapi.json')} target="_blank" rel="noreferrer">
          <Icon name="open" />
          <span class="wide">OpenAPI</span>
        </a>
      </div>
    </header>
  )
}
