import { type Model, Types } from '../shared/model'

// The types that the storm writes: a ledger, rows in several tables, many-to-many and one-to-one relationships, and rows with generated
// ids.

const MODEL: Model = {
  accounts: {
    version: true,
    attributes: { balance: { kind: 'integer' } },
  },
  entries: {
    attributes: { amount: { kind: 'integer' } },
    relationships: { from: { kind: 'belongsTo', to: 'accounts' }, to: { kind: 'belongsTo', to: 'accounts' } },
  },
  events: { id: 'generated', attributes: { token: { kind: 'text' } } },
  tags: { attributes: { name: { kind: 'text' } } },
  people: {
    attributes: { name: { kind: 'text' } },
    relationships: { seat: { kind: 'hasOne', to: 'seats', inverse: 'holder' } },
  },
  seats: {
    attributes: { name: { kind: 'text' } },
    relationships: { holder: { kind: 'ownsOneToOne', to: 'people', inverse: 'seat' } },
  },
  // All values of a row are the same number, in every table of the row.
  docs: {
    abstract: true,
    version: true,
    attributes: { inDocs: { kind: 'integer' } },
    relationships: { tags: { kind: 'manyToMany', to: 'tags' } },
  },
  memos: { base: 'docs', attributes: { inMemos: { kind: 'integer' } } },
  letters: { base: 'docs', attributes: { inLetters: { kind: 'integer' } } },
  notices: { base: 'letters', attributes: { inNotices: { kind: 'integer' } } },
}

export const TYPES = new Types(MODEL)

export const ACCOUNTS = 40
export const START_BALANCE = 1000
export const TAGS = 12
/** Number of seats of each client. */
export const SEATS = 4

/** The attributes of a document, all with this number. */
export function valuesOf(type: string, number: number): Record<string, number> {
  return Object.fromEntries([...TYPES.attributes(type).keys()].map((name) => [name, number]))
}
