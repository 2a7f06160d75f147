import type { ResourceClass, ResourceDefinition } from 'stemma'
import type { Response } from 'supertest'
import { type ApiOptions, startApi, type TestApi } from '../../../support/api'

import { ACCEPT } from '../../../support/walk'
import { CURSOR_WALKS, READS, WRITES } from './paper-requests'
import { addPapers, Document, Folder, PAPERS, removeSecrets, secretsOf } from './papers'

/** How a recipe hides a row. */
export interface Recipe {
  readonly rules?: new (resource: ResourceClass) => ResourceDefinition
  readonly context?: unknown
  /** What a row is stored with that is to be hidden. */
  readonly mark: object
}

/**
 * One database has rows that the recipe hides, the other has never had them, a third shows them. Whatever a client asks for, and whatever
 * it writes, it can't tell the first from the second; the third is there to see that each request would tell.
 */
export function hidesEverywhere({ rules: Rules, context, mark }: Recipe): void {
  const definitions = Rules === undefined ? [] : [new Rules(Folder), new Rules(Document)]
  const options: ApiOptions = { definitions, context: () => context }
  let [hiding, bare, showing] = [] as unknown as [TestApi, TestApi, TestApi]

  beforeAll(async () => {
    ;[hiding, bare, showing] = [
      await startApi(PAPERS, options),
      await startApi(PAPERS, options),
      await startApi(PAPERS, options),
    ]
    await addPapers(hiding, mark)
    await addPapers(bare, mark)
    await removeSecrets(bare)
    await addPapers(showing, {})
  })
  afterAll(() => Promise.all([hiding, bare, showing].map((api) => api.close())))

  it.each(READS)('GET %s', async (path) => {
    const answer = facts(await hiding.get(path))
    expect(answer).toEqual(facts(await bare.get(path)))
    expect(answer).not.toEqual(facts(await showing.get(path)))
  })

  it.each(CURSOR_WALKS)('cursors of %s, also those that stand at a hidden row', async (path) => {
    for (let next: string | null = path; next !== null; ) {
      const { body }: Response = await showing.get(next).set(ACCEPT)
      expect(facts(await hiding.get(next).set(ACCEPT))).toEqual(facts(await bare.get(next).set(ACCEPT)))
      next = body.links.next
    }
  })

  it('is not there for conditional requests', async () => {
    await hiding.get('/documents/2').set({ 'if-none-match': '*' }).expect(404)
    const { headers } = await hiding.get('/documents/1')
    const again = await hiding.get('/documents/1').set({ 'if-none-match': String(headers.etag) })
    expect([again.status, again.text]).toEqual([304, ''])
  })

  it.each(WRITES)('%s %s %j: %i', async (method, path, data, status) => {
    const sending = data === undefined ? {} : { body: { data } }
    const secrets = await secretsOf(hiding)
    const answer = await hiding.request(method, path, sending)
    expect({ ...facts(answer), status: answer.status }).toEqual({
      ...facts(await bare.request(method, path, sending)),
      status,
    })
    expect(await secretsOf(hiding)).toEqual(secrets)
  })

  it('has told nothing by what all these writes have left behind', async () => {
    for (const each of ['/folders?include=documents.mentions,cover,parent', '/documents?include=mentionedBy,folder'])
      expect(facts(await hiding.get(each))).toEqual(facts(await bare.get(each)))
  })
}

function facts({ status, headers, text }: Response) {
  return { status, location: headers.location, text }
}
