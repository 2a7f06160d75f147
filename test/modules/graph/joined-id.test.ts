import fc from 'fast-check'
import { COMPOSITE_ID_CODEC, decodeIdToRuntimeKey, encodeRuntimeKeyToId } from '../../../src/graph/model/record-id'

const part = fc.string({ unit: fc.constantFrom('~', '!', 'a', '/', ' ', '\n', '\u{1f600}', '') })
const ranges = (count: number) => ({
  valueType: 'string' as const,
  codec: COMPOSITE_ID_CODEC,
  parts: Array.from({ length: count }, () => ({ valueType: 'string' as const })),
})

it('decodes an encoded list of key parts to the same list', () => {
  const lists = fc.array(part, { minLength: 2, maxLength: 4 })
  fc.assert(
    fc.property(lists, (texts) =>
      expect(decodeIdToRuntimeKey(COMPOSITE_ID_CODEC.encode(texts), ranges(texts.length))).toEqual(texts),
    ),
  )
})

it('decodes a text to at most one list of key parts, which encodes to the same text', () => {
  const texts = fc.string({ unit: fc.constantFrom('~', '!', 'a', '\n') })
  fc.assert(
    fc.property(texts, (id) => {
      const [two, three] = [2, 3].map((count) => decodeIdToRuntimeKey(id, ranges(count)))
      expect(two === undefined || three === undefined).toBe(true)
      const key = two ?? three
      if (key !== undefined) expect(encodeRuntimeKeyToId(key, ranges(2))).toBe(id)
    }),
  )
})

it.each([
  [['NO', '7'], 'NO~7'],
  [['a~b', 'c!'], 'a!~b~c!!'],
  [['', ''], '~'],
])('encodes %j as %s', (texts, id) => expect(COMPOSITE_ID_CODEC.encode(texts)).toBe(id))
