import { Human, type HumansApi, startHumans } from '../../support/humans'
import { updateRows } from '../../support/rows'

// Write rule 5 of the specification: a to-one relationship can be changed through any combination of endpoint, way of writing and type
// named in the identifier. The rule of men ("no woman as best friend") answers by the stored types, whatever was named.

let api: HumansApi
let adam: string
let bert: string
let clara: string
let dora: string

beforeAll(async () => {
  api = await startHumans()
  adam = await api.addMan({ name: 'Adam', hasBeard: false })
  bert = await api.addMan({ name: 'Bert', hasBeard: false })
  clara = await api.addWoman({ name: 'Clara', maidenName: 'Clay' })
  dora = await api.addWoman({ name: 'Dora', maidenName: 'Dorn' })
})
afterAll(() => api.close())

const RESOURCE_UPDATES = ['humans', 'women', 'men'].flatMap((endpoint) =>
  ['women', 'men'].map((named) => ({ endpoint, named })),
)
const RELATIONSHIP_UPDATES = ['humans', 'women', 'men'].flatMap((endpoint) =>
  ['humans', 'women', 'men'].map((named) => ({ endpoint, named })),
)

function idOf(sex: 'man' | 'woman', which: 'left' | 'right'): string {
  if (sex === 'man') return which === 'left' ? adam : bert
  return which === 'left' ? clara : dora
}

const sexOf = (endpoint: string, fallback: 'man' | 'woman') =>
  endpoint === 'men' ? 'man' : endpoint === 'women' ? 'woman' : fallback

async function bestFriendOf(id: string): Promise<unknown> {
  const { body } = await api.get(`/humans/${id}/relationships/bestFriend`)
  return body.data
}

describe.each(RESOURCE_UPDATES)('PATCH /$endpoint/<id> with an identifier of type $named', ({ endpoint, named }) => {
  it.each(['man', 'woman'] as const)('works on a %s, under the rules', async (fallback) => {
    const left = sexOf(endpoint, fallback)
    const right = sexOf(named, 'man')
    const leftId = idOf(left, 'left')
    const rightId = idOf(right, 'right')
    const type = left === 'man' ? 'men' : 'women'
    await forgetBestFriends()

    const { status, body } = await api.patch(`/${endpoint}/${leftId}`).send({
      data: { type, id: leftId, relationships: { bestFriend: { data: { type: named, id: rightId } } } },
    })

    if (left === 'man' && right === 'woman') {
      expect(status).toBe(422)
      expect(body.errors).toMatchObject([{ source: { pointer: '/data/relationships/bestFriend' } }])
      expect(await bestFriendOf(leftId)).toBeNull()
    } else {
      expect(status).toBe(204)
      expect(await bestFriendOf(leftId)).toEqual({ type: right === 'man' ? 'men' : 'women', id: rightId })
    }
  })
})

describe.each(RELATIONSHIP_UPDATES)(
  'PATCH /$endpoint/<id>/relationships/bestFriend with an identifier of type $named',
  ({ endpoint, named }) => {
    it.each(['man', 'woman'] as const)('works with a %s at the right end, under the rules', async (rightFallback) => {
      for (const left of endpoint === 'humans' ? (['man', 'woman'] as const) : [sexOf(endpoint, 'man')]) {
        const right = sexOf(named, rightFallback)
        const leftId = idOf(left, 'left')
        const rightId = idOf(right, 'right')
        await forgetBestFriends()

        const { status, body } = await api.patch(`/${endpoint}/${leftId}/relationships/bestFriend`).send({
          data: { type: named, id: rightId },
        })

        if (left === 'man' && right === 'woman') {
          expect(status).toBe(422)
          expect(body.errors).toMatchObject([{ source: { pointer: '/data' } }])
          expect(await bestFriendOf(leftId)).toBeNull()
        } else {
          expect(status).toBe(204)
          expect(await bestFriendOf(leftId)).toEqual({ type: right === 'man' ? 'men' : 'women', id: rightId })
        }
      }
    })
  },
)

async function forgetBestFriends(): Promise<void> {
  await updateRows(api.dataSource, [Human], { bestFriend: null })
}
