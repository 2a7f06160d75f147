import { Authorize } from '../authorize/authorize'
import type { ApiModel } from '../core/api-model'
import { API_ROOT_URL, toApiPath } from '../core/api-url'
import { Icon } from '../parts/icon'

export interface TopBarProps {
  /** `undefined` before the OpenAPI document is loaded, and if it is refused. */
  readonly model: ApiModel | undefined
  readonly onCredentials: () => void
}

export function TopBar({ model, onCredentials }: TopBarProps) {
  return (
    <header class="top">
      <a class="brand" href={API_ROOT_URL.pathname}>
        {model?.info.title ?? 'Explorer'} <span class="version">{model?.info.version}</span>
      </a>
      <div class="top-actions">
        <Authorize onChange={onCredentials} />
        <a class="bar-button" href={toApiPath('openapi.json')} target="_blank" rel="noreferrer">
          <Icon name="open" />
          <span class="wide">OpenAPI</span>
        </a>
      </div>
    </header>
  )
}
