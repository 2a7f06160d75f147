import type { ApiSchema } from './api'
import type { Client } from './client-type'
import { createHttpWriteClient } from './create-http-write-client'
import { createOperationsClient } from './perform-operations'
import { createUntypedReadClient } from './read'
import { type ClientOptions, createRequestSender } from './send-request'

/**
 * Creates a client for an API. `Api` types its methods; at runtime the client knows only what documents contain.
 *
 * ```ts
 * type Api = InferApi<{ humans: typeof Human; men: typeof Man; women: typeof Woman }>
 * const client = createClient<Api>({ baseUrl: 'http://localhost:3000' })
 * const human = await client.get('humans', '1', { include: { children: true } })
 * if (human.type === 'men') console.log(human.hasBeard, human.children.map(({ name }) => name))
 * ```
 */
export function createClient<Api extends ApiSchema>(options: ClientOptions): Client<Api> {
  const send = createRequestSender(options)
  const read = createUntypedReadClient(send)
  // The implementation is untyped. `Client` adds the types for callers.
  return {
    ...read,
    ...createHttpWriteClient(send, read),
    ...createOperationsClient(send, options),
  } as unknown as Client<Api>
}
