import type { ResourceClass } from 'stemma'
import { and, equals, not, or, ResourceDefinition } from 'stemma'
import { type Model, Types } from '../shared/model'
import type { Row } from '../shared/rows'

// The user belongs to the tenant `ours`. Hidden from it: rows of other tenants, secret ones, what rules of derived types hide besides, fields without
// `view`, and fields that a definition takes away.

const UNSEEN: readonly [] = []
const WRITTEN = ['create', 'change'] as const

const MODEL: Model = {
  teams: {
    attributes: {
      name: { kind: 'text', unique: true },
      tenant: { kind: 'text', capabilities: UNSEEN },
      pin: { kind: 'text', nullable: true, capabilities: WRITTEN },
    },
    relationships: {
      docs: { kind: 'hasMany', to: 'docs', inverse: 'team' },
      lead: { kind: 'ownsOne', to: 'people', inverse: 'leads' },
    },
  },
  people: {
    version: true,
    attributes: {
      name: { kind: 'text' },
      born: { kind: 'date', nullable: true },
      isSecret: { kind: 'boolean', default: false },
      tenant: { kind: 'text', capabilities: UNSEEN },
      password: { kind: 'text', nullable: true, capabilities: WRITTEN },
      salary: { kind: 'integer', nullable: true },
    },
    relationships: {
      boss: { kind: 'belongsTo', to: 'people', inverse: 'reports' },
      reports: { kind: 'hasMany', to: 'people', inverse: 'boss' },
      leads: { kind: 'hasOne', to: 'teams', inverse: 'lead' },
      docs: { kind: 'hasMany', to: 'docs', inverse: 'author' },
      favourites: { kind: 'pairs', to: 'docs', inverse: 'fans' },
      approved: { kind: 'hasMany', to: 'docs', inverse: 'approver', capabilities: UNSEEN },
      mentor: { kind: 'belongsTo', to: 'people' },
    },
  },
  docs: {
    abstract: true,
    attributes: {
      title: { kind: 'text' },
      body: { kind: 'text', nullable: true },
      isSecret: { kind: 'boolean', default: false },
      tenant: { kind: 'text', capabilities: UNSEEN },
      note: { kind: 'text', nullable: true, capabilities: WRITTEN },
      rating: { kind: 'integer', nullable: true },
    },
    relationships: {
      author: { kind: 'belongsTo', to: 'people', inverse: 'docs' },
      team: { kind: 'belongsTo', to: 'teams', inverse: 'docs' },
      parent: { kind: 'belongsTo', to: 'docs', inverse: 'parts' },
      parts: { kind: 'hasMany', to: 'docs', inverse: 'parent' },
      fans: { kind: 'pairsOfOther', to: 'people', inverse: 'favourites' },
      approver: { kind: 'belongsTo', to: 'people', inverse: 'approved' },
      related: { kind: 'pairs', to: 'docs', capabilities: UNSEEN },
    },
  },
  memos: {
    base: 'docs',
    attributes: { priority: { kind: 'integer', nullable: true } },
    relationships: { cover: { kind: 'ownsOne', to: 'letters', inverse: 'coverOf' } },
  },
  letters: {
    base: 'docs',
    attributes: { stamp: { kind: 'text', nullable: true } },
    relationships: { coverOf: { kind: 'hasOne', to: 'memos', inverse: 'cover' } },
  },
  notices: { base: 'letters', attributes: { level: { kind: 'integer', nullable: true } } },
}

export const TYPES = new Types(MODEL)

/** The fields that definitions hide. */
const TAKEN: Readonly<Record<string, readonly string[]>> = {
  people: ['salary', 'mentor'],
  docs: ['rating', 'approver'],
}

export const OURS = 'ours'
/** Letters with this stamp are hidden, and so are notices, which inherit the definition. */
export const HIDING_STAMP = 'X'

/** Returns true for a hidden field. Its values and links may be anything. */
export function isHiddenField(type: string, field: string): boolean {
  const { attributes = {}, relationships = {} } = TYPES.get(TYPES.declaring(type, field))
  const capabilities = { ...attributes, ...relationships }[field]?.capabilities as readonly string[] | undefined
  return capabilities?.includes('view') === false || TYPES.chain(type).some((each) => TAKEN[each]?.includes(field))
}

/** The model as a client sees it, without fields that lack capabilities. */
export const KNOWN_TYPES = new Types(
  Object.fromEntries(
    Object.entries(MODEL).map(([type, { attributes = {}, relationships = {}, ...rest }]) => {
      const shown = <Field extends object>(fields: Readonly<Record<string, Field>>) =>
        Object.fromEntries(Object.entries(fields).filter(([, each]) => !('capabilities' in each)))
      return [type, { ...rest, attributes: shown(attributes), relationships: shown(relationships) }]
    }),
  ),
)

/** Decides independently which rows are hidden. `authorIsSecret`: for the author, visible or not. */
export function isHidden({ type, values }: Row, authorIsSecret: boolean): boolean {
  if (values.tenant !== OURS) return true
  if (type === 'teams') return false
  if (values.isSecret === true) return true
  if (TYPES.isA(type, 'letters')) return values.stamp === HIDING_STAMP
  return type === 'memos' && authorIsSecret
}

interface Asking {
  readonly tenant: string
}

export type Definitions = readonly ResourceDefinition<object, Asking>[]

/** `leak`: leaves out a rule, to test that the exam notices. */
export function makeDefinitions(classes: ReadonlyMap<string, ResourceClass>, leak?: 'memos' | 'salary'): Definitions {
  const classOf = (type: string) => classes.get(type) as ResourceClass

  class Tenants extends ResourceDefinition<object, Asking> {
    readonly resource: ResourceClass = classOf('teams')
    override filter({ tenant }: Asking) {
      return equals('tenant', tenant)
    }
    override beforeWrite({ kind, context }: { readonly kind: string; readonly context: Asking }) {
      return kind === 'create' ? { tenant: context.tenant } : undefined
    }
    override fields(names: ReadonlySet<string>) {
      const taken = Object.values(TAKEN).flat()
      return new Set([...names].filter((name) => !taken.includes(name) || name === leak))
    }
  }
  class People extends Tenants {
    override readonly resource: ResourceClass = classOf('people')
    override filter(asking: Asking) {
      return and(super.filter(asking), equals('isSecret', false))
    }
  }
  class Docs extends People {
    override readonly resource: ResourceClass = classOf('docs')
  }
  class Memos extends Docs {
    override readonly resource = classOf('memos')
    override filter(asking: Asking) {
      const own = or(equals('author', null), equals('author.isSecret', false))
      return leak === 'memos' ? own : and(super.filter(asking), own)
    }
  }
  class Letters extends Docs {
    override readonly resource = classOf('letters')
    override filter(asking: Asking) {
      return and(super.filter(asking), not(equals('stamp', HIDING_STAMP)))
    }
  }
  return [new Tenants(), new People(), new Docs(), new Memos(), new Letters()]
}
