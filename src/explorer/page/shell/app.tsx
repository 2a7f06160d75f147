import { useEffect, useRef, useState } from 'preact/hooks'
import { OpenApiLoadFailure } from '../authorize/open-api-load-failure'
import type { ParsedApiUrl } from '../core/api-types'
import { CredentialsVersionContext, ModelContext, useCurrentApiLocation } from '../core/context'
import { Announcements } from '../parts/announce'
import { ExplorerViewForUrl } from './explorer-view-for-url'
import { LeaveDialog } from './leave-dialog'
import { observeRemovalsToKeepFocus } from './observe-removals-to-keep-focus'
import { TopBar } from './top-bar'
import { TypeList } from './type-list'
import { useOpenApiDocument } from './use-open-api-document'

/** Loads the OpenAPI document and shows the current URL. */
export function App() {
  const [{ model, response, version }, reload] = useOpenApiDocument()
  const address = useCurrentApiLocation()
  const [isMenuOpen, setMenuOpen] = useState(false)
  useEffect(() => setMenuOpen(false), [address])
  const main = useFocusAfterNavigation(address)
  useEffect(observeRemovalsToKeepFocus, [])
  useTitle(address, model?.info.title ?? 'Explorer')
  return (
    <ModelContext.Provider value={model}>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <TopBar
        model={model}
        openApi={response?.status === 200 ? response.text : undefined}
        onCredentials={reload}
        isMenuOpen={isMenuOpen}
        onMenu={() => setMenuOpen(!isMenuOpen)}
      />
      <div class="frame">
        {model !== undefined && <TypeList model={model} current={address.type} isOpen={isMenuOpen} />}
        <main id="content" tabIndex={-1} ref={main}>
          <CredentialsVersionContext.Provider value={version}>
            {model !== undefined && <ExplorerViewForUrl key={address.path} address={address} model={model} />}
          </CredentialsVersionContext.Provider>
          {model === undefined && response !== undefined && <OpenApiLoadFailure response={response} retry={reload} />}
        </main>
      </div>
      <LeaveDialog />
      <Announcements />
    </ModelContext.Provider>
  )
}

/** Moves the focus as a page load does, so that screen readers continue with the new content. */
function useFocusAfterNavigation({ path }: ParsedApiUrl) {
  const main = useRef<HTMLElement>(null)
  const shown = useRef(path)
  useEffect(() => {
    if (shown.current === path) return
    shown.current = path
    scrollTo(0, 0)
    main.current?.focus({ preventScroll: true })
  }, [path])
  return main
}

function useTitle({ type, id, relationship }: ParsedApiUrl, api: string): void {
  const path = [type, id, relationship].filter((part) => part !== '').join(' / ')
  useEffect(() => {
    document.title = path === '' ? api : `${path} – ${api}`
  }, [path, api])
}
