import { createContext } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'
import type { ParsedApiUrl } from './api-types'
import { parseApiUrl } from './api-url'
import type { ExplorerApiModel } from './explorer-api-model'
import { addNavigationListener } from './navigation'

/** The description of the API, for all components below the shell. */
export const ModelContext = createContext<ExplorerApiModel | undefined>(undefined)

/** Differs after the credentials have changed: what was loaded with others is loaded again. */
export const CredentialsVersionContext = createContext(0)

export function useModel(): ExplorerApiModel {
  const model = useContext(ModelContext)
  if (model === undefined) throw new Error('The component is used before the OpenAPI document is loaded.')
  return model
}

/** Returns the shown URL of the API, and draws the component again after each navigation. */
export function useCurrentApiLocation(): ParsedApiUrl {
  const [address, setAddress] = useState(currentAddress)
  useEffect(() => addNavigationListener(() => setAddress(currentAddress())), [])
  return address
}

function currentAddress(): ParsedApiUrl {
  const { pathname, search, hash, href } = location
  const none = { type: '', id: '', relationship: '', path: pathname, url: pathname + search, search, hash }
  return parseApiUrl(href) ?? { shape: 'unknown', ...none }
}
