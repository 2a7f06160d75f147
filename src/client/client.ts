import type { Resources } from './api'
import type { Client } from './client-type'
import { type ClientOptions, sendTo } from './exchange'
import { operateBy } from './operate'
import { readBy } from './read'
import { writeBy } from './write-by'

/**
 * A client of one API. The types say what there is to ask for; when it runs, documents tell it all there is to know.
 *
 * ```ts
 * type Api = ResourcesOf<{ humans: typeof Human; men: typeof Man; women: typeof Woman }>
 * const client = createClient<Api>({ baseUrl: 'http://localhost:3000' })
 * const human = await client.get('humans', '1', { include: { children: true } })
 * if (human.type === 'men') console.log(human.hasBeard, human.children.map(({ name }) => name))
 * ```
 */
export function createClient<Api extends Resources>(options: ClientOptions): Client<Api> {
  const send = sendTo(options)
  const read = readBy(send, options.baseUrl)
  // Types are there for those who call: what runs knows no names.
  return { ...read, ...writeBy(send, read), ...operateBy(send, options) } as unknown as Client<Api>
}
