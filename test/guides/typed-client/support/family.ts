import { type Client, createClient, type InferApi } from 'stemma/client'
import type { Human, Man, Woman } from '../../../support/humans'
import { checkedFetch } from '../../../support/lint'

export type Family = InferApi<{ humans: typeof Human; men: typeof Man; women: typeof Woman }>

/** Checks every response against JSON:API. */
export function familyAt(baseUrl: string): Client<Family> {
  return createClient<Family>({ baseUrl, fetch: checkedFetch })
}
