import type { Resources } from './api'
import type { Client } from './client-type'
import { createWriteClient } from './create-write-client'
import { createOperationsClient } from './operate'
import { createReadClient } from './read'
import { type ClientOptions, createSender } from './send-request'

/**
 * A client of one API. The types say what there is to ask for; when it runs, documents tell it all there is to know.
 *
 * ```ts
 * type Api = InferApi<{ humans: typeof Human; men: typeof Man; women: typeof Woman }>
 * const client = createClient<Api>({ baseUrl: 'http://localhost:3000' })
 * const human = await client.get('humans', '1', { include: { children: true } })
 * if (human.type === 'men') console.log(human.hasBeard, human.children.map(({ name }) => name))
 * ```
 */
export function createClient<Api extends Resources>(options: ClientOptions): Client<Api> {
  const send = createSender(options)
  const read = createReadClient(send, options.baseUrl)
  // Types are there for those who call: what runs knows no names.
  return {
    ...read,
    ...createWriteClient(send, read),
    ...createOperationsClient(send, options),
  } as unknown as Client<Api>
}
