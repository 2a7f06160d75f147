import type { ResourceClass } from 'stemma'
import { and, equals, not, or, ResourceDefinition } from 'stemma'
import { type Model, Types } from '../shared/model'
import type { Row } from '../shared/rows'

// The user belongs to the tenant `ours`. Hidden from it are rows of other tenants, secret rows, rows that rules of derived types hide, fields
// without the capability `view`, and fields that a definition hides.

const NO_CAPABILITIES: readonly [] = []
const WRITE_ONLY = ['create', 'change'] as const

const MODEL: Model = {
  teams: {
    attributes: {
      name: { kind: 'text', unique: true },
      tenant: { kind: 'text', capabilities: NO_CAPABILITIES },
      pin: { kind: 'text', nullable: true, capabilities: WRITE_ONLY },
    },
    relationships: {
      docs: { kind: 'hasMany', to: 'docs', inverse: 'team' },
      lead: { kind: 'ownsOneToOne', to: 'people', inverse: 'leads' },
    },
  },
  people: {
    version: true,
    attributes: {
      name: { kind: 'text' },
      born: { kind: 'date', nullable: true },
      isSecret: { kind: 'boolean', default: false },
      tenant: { kind: 'text', capabilities: NO_CAPABILITIES },
      password: { kind: 'text', nullable: true, capabilities: WRITE_ONLY },
      salary: { kind: 'integer', nullable: true },
    },
    relationships: {
      boss: { kind: 'belongsTo', to: 'people', inverse: 'reports' },
      reports: { kind: 'hasMany', to: 'people', inverse: 'boss' },
      leads: { kind: 'hasOne', to: 'teams', inverse: 'lead' },
      docs: { kind: 'hasMany', to: 'docs', inverse: 'author' },
      favourites: { kind: 'manyToMany', to: 'docs', inverse: 'fans' },
      approved: { kind: 'hasMany', to: 'docs', inverse: 'approver', capabilities: NO_CAPABILITIES },
      mentor: { kind: 'belongsTo', to: 'people' },
    },
  },
  docs: {
    abstract: true,
    attributes: {
      title: { kind: 'text' },
      body: { kind: 'text', nullable: true },
      isSecret: { kind: 'boolean', default: false },
      tenant: { kind: 'text', capabilities: NO_CAPABILITIES },
      note: { kind: 'text', nullable: true, capabilities: WRITE_ONLY },
      rating: { kind: 'integer', nullable: true },
    },
    relationships: {
      author: { kind: 'belongsTo', to: 'people', inverse: 'docs' },
      team: { kind: 'belongsTo', to: 'teams', inverse: 'docs' },
      parent: { kind: 'belongsTo', to: 'docs', inverse: 'parts' },
      parts: { kind: 'hasMany', to: 'docs', inverse: 'parent' },
      fans: { kind: 'inverseManyToMany', to: 'people', inverse: 'favourites' },
      approver: { kind: 'belongsTo', to: 'people', inverse: 'approved' },
      related: { kind: 'manyToMany', to: 'docs', capabilities: NO_CAPABILITIES },
    },
  },
  memos: {
    base: 'docs',
    attributes: { priority: { kind: 'integer', nullable: true } },
    relationships: { cover: { kind: 'ownsOneToOne', to: 'letters', inverse: 'coverOf' } },
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
const FIELDS_HIDDEN_BY_DEFINITIONS: Readonly<Record<string, readonly string[]>> = {
  people: ['salary', 'mentor'],
  docs: ['rating', 'approver'],
}

export const OURS = 'ours'
/** Letters with this stamp are hidden, and so are notices, which inherit the definition. */
export const HIDING_STAMP = 'X'

/** Returns true for a hidden field. Its values and links may be anything. */
export function isHiddenField(type: string, field: string): boolean {
  const { attributes = {}, relationships = {} } = TYPES.get(TYPES.declaringType(type, field))
  const capabilities = { ...attributes, ...relationships }[field]?.capabilities as readonly string[] | undefined
  return (
    capabilities?.includes('view') === false ||
    TYPES.lineage(type).some((each) => FIELDS_HIDDEN_BY_DEFINITIONS[each]?.includes(field))
  )
}

/** The model as a client sees it, without fields that lack capabilities. */
export const KNOWN_TYPES = new Types(
  Object.fromEntries(
    Object.entries(MODEL).map(([type, { attributes = {}, relationships = {}, ...rest }]) => {
      const visible = <Field extends object>(fields: Readonly<Record<string, Field>>) =>
        Object.fromEntries(Object.entries(fields).filter(([, each]) => !('capabilities' in each)))
      return [type, { ...rest, attributes: visible(attributes), relationships: visible(relationships) }]
    }),
  ),
)

/** Returns true if the rules hide a row. Does not use the library. */
export function isHidden({ type, values }: Row, authorIsSecret: boolean): boolean {
  if (values.tenant !== OURS) return true
  if (type === 'teams') return false
  if (values.isSecret === true) return true
  if (TYPES.isSameOrDerivedType(type, 'letters')) return values.stamp === HIDING_STAMP
  return type === 'memos' && authorIsSecret
}

interface UserContext {
  readonly tenant: string
}

export type Definitions = readonly ResourceDefinition<object, UserContext>[]

/** `leak`: omits a rule, to test that the exam detects it. */
export function createDefinitions(classes: ReadonlyMap<string, ResourceClass>, leak?: 'memos' | 'salary'): Definitions {
  const classOf = (type: string) => classes.get(type) as ResourceClass

  class Tenants extends ResourceDefinition<object, UserContext> {
    readonly resource: ResourceClass = classOf('teams')
    override filter({ tenant }: UserContext) {
      return equals('tenant', tenant)
    }
    override beforeWrite({ kind, context }: { readonly kind: string; readonly context: UserContext }) {
      return kind === 'create' ? { tenant: context.tenant } : undefined
    }
    override fields(names: ReadonlySet<string>) {
      const hiddenNames = Object.values(FIELDS_HIDDEN_BY_DEFINITIONS).flat()
      return new Set([...names].filter((name) => !hiddenNames.includes(name) || name === leak))
    }
  }
  class People extends Tenants {
    override readonly resource: ResourceClass = classOf('people')
    override filter(context: UserContext) {
      return and(super.filter(context), equals('isSecret', false))
    }
  }
  class Docs extends People {
    override readonly resource: ResourceClass = classOf('docs')
  }
  class Memos extends Docs {
    override readonly resource = classOf('memos')
    override filter(context: UserContext) {
      const authorIsVisible = or(equals('author', null), equals('author.isSecret', false))
      return leak === 'memos' ? authorIsVisible : and(super.filter(context), authorIsVisible)
    }
  }
  class Letters extends Docs {
    override readonly resource = classOf('letters')
    override filter(context: UserContext) {
      return and(super.filter(context), not(equals('stamp', HIDING_STAMP)))
    }
  }
  return [new Tenants(), new People(), new Docs(), new Memos(), new Letters()]
}
