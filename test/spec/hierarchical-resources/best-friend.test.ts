import { outcomeOf } from '../../support/expectations'
import { Human, startHumans } from '../../support/humans'
import { updateRows } from '../../support/rows'
import { setUp } from '../../support/set-up'

// Write rule 5 of the specification: a to-one relationship can be changed at each endpoint, with its resource or alone, and with each type
// in the identifier. The rule of men ("no woman as best friend") sees the stored types.

const api = setUp(startHumans)
/** The ids of two men and two women: the left one is updated, the right one is its new best friend. */
let ids: Readonly<Record<'men' | 'women', { readonly left: string; readonly right: string }>>

beforeAll(async () => {
  ids = {
    men: { left: await addMan('Adam'), right: await addMan('Bert') },
    women: { left: await addWoman('Clara'), right: await addWoman('Dora') },
  }
})

const addMan = (name: string) => api.addMan({ name, hasBeard: false })
const addWoman = (name: string) => api.addWoman({ name, maidenName: name })

const TYPES = ['men', 'women'] as const
/** Each type under each name that it has. */
const NAMED = TYPES.flatMap((type) => ['humans', type].map((name) => [name, type] as const))
const CASES = NAMED.flatMap(([endpoint, left]) =>
  NAMED.map(([named, right]) => [endpoint, left, named, right] as const),
)

describe.each(CASES)('PATCH at /%s of one of %s, with an identifier of type %s for one of %s', (...names) => {
  const [endpoint, left, named, right] = names
  const isAllowed = left === 'women' || right === 'men'

  async function write(path: string, toBody: (linkage: object) => object, pointer: string) {
    await updateRows(api.dataSource, [Human], { bestFriend: null })
    const response = await api.patch(path).send(toBody({ data: { type: named, id: ids[right].right } }))
    expect(outcomeOf(response)).toBe(isAllowed ? '204' : `422 rule.refused ${pointer}`)
    const { data } = (await api.get(`/humans/${ids[left].left}/relationships/bestFriend`)).body
    expect(data).toEqual(isAllowed ? { type: right, id: ids[right].right } : null)
  }

  it(`${isAllowed ? 'sets' : 'refuses'} the best friend at the relationship endpoint`, async () => {
    await write(`/${endpoint}/${ids[left].left}/relationships/bestFriend`, (linkage) => linkage, '/data')
  })

  // A resource object may only name types that can be stored.
  if (named !== 'humans')
    it(`${isAllowed ? 'sets' : 'refuses'} the best friend with the resource`, async () => {
      const id = ids[left].left
      const toBody = (bestFriend: object) => ({ data: { type: left, id, relationships: { bestFriend } } })
      await write(`/${endpoint}/${id}`, toBody, '/data/relationships/bestFriend')
    })
})
