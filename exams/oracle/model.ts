import { type Model, Types } from '../shared/model'

// A hierarchy of four levels with all kinds of attributes and relationships, its related types, and a hierarchy with composite keys.

const MOODS = ['wild', 'calm', 'angry'] as const

const MODEL: Model = {
  houses: {
    attributes: {
      street: { kind: 'text' },
      number: { kind: 'integer', nullable: true },
      built: { kind: 'date', nullable: true },
    },
    relationships: { residents: { kind: 'hasMany', to: 'creatures', inverse: 'home' } },
  },
  clubs: {
    id: 'text',
    attributes: {
      title: { kind: 'text' },
      token: { kind: 'uuid', nullable: true, unordered: true },
      founded: { kind: 'timestamp', nullable: true },
      fee: { kind: 'decimal', nullable: true },
    },
    relationships: {
      members: { kind: 'inverseManyToMany', to: 'creatures', inverse: 'clubs' },
      president: { kind: 'ownsOneToOne', to: 'people', inverse: 'presides' },
    },
  },
  creatures: {
    abstract: true,
    attributes: {
      name: { kind: 'text' },
      nick: { kind: 'text', nullable: true },
      motto: { kind: 'text', nullable: true, unordered: true },
      age: { kind: 'integer', nullable: true },
      steps: { kind: 'bigint', nullable: true },
      weight: { kind: 'float', nullable: true },
      price: { kind: 'decimal', nullable: true },
      isTame: { kind: 'boolean', nullable: true },
      seenAt: { kind: 'timestamp', nullable: true },
      bornOn: { kind: 'date', nullable: true },
      wakes: { kind: 'time', nullable: true },
      mood: { kind: 'enum', nullable: true, values: MOODS },
      traits: { kind: 'list', nullable: true },
      extra: { kind: 'json', nullable: true },
    },
    relationships: {
      bestFriend: { kind: 'belongsTo', to: 'creatures', inverse: 'admirers' },
      admirers: { kind: 'hasMany', to: 'creatures', inverse: 'bestFriend' },
      spot: { kind: 'belongsTo', to: 'spots', inverse: 'visitors' },
      home: { kind: 'belongsTo', to: 'houses', inverse: 'residents' },
      clubs: { kind: 'manyToMany', to: 'clubs', inverse: 'members' },
    },
  },
  people: {
    base: 'creatures',
    abstract: true,
    attributes: { title: { kind: 'text', nullable: true } },
    relationships: {
      children: { kind: 'manyToMany', to: 'people', inverse: 'parents' },
      parents: { kind: 'inverseManyToMany', to: 'people', inverse: 'children' },
      badges: { kind: 'hasMany', to: 'badges', inverse: 'holder' },
      pets: { kind: 'hasMany', to: 'pets', inverse: 'keeper' },
      presides: { kind: 'hasOne', to: 'clubs', inverse: 'president' },
    },
  },
  men: {
    base: 'people',
    attributes: {
      hasBeard: { kind: 'boolean', nullable: true },
      rank: { kind: 'integer', nullable: true, property: 'menRank' },
    },
    relationships: {
      wife: { kind: 'ownsOneToOne', to: 'women', inverse: 'husband' },
      room: { kind: 'hasOne', to: 'rooms', inverse: 'owner' },
    },
  },
  women: {
    base: 'people',
    attributes: {
      maidenName: { kind: 'text', nullable: true },
      rank: { kind: 'text', nullable: true, property: 'womenRank' },
    },
    relationships: { husband: { kind: 'hasOne', to: 'men', inverse: 'wife' } },
  },
  pets: {
    base: 'creatures',
    attributes: { breed: { kind: 'text', nullable: true } },
    relationships: { keeper: { kind: 'belongsTo', to: 'people', inverse: 'pets' } },
  },
  dogs: {
    base: 'pets',
    attributes: { tricks: { kind: 'integer', nullable: true } },
    relationships: { rival: { kind: 'belongsTo', to: 'dogs' } },
  },
  badges: {
    id: 'uuid',
    attributes: { label: { kind: 'text', nullable: true } },
    relationships: {
      holder: { kind: 'belongsTo', to: 'people', inverse: 'badges' },
      opens: { kind: 'manyToMany', to: 'spots', inverse: 'badges' },
    },
  },
  spots: {
    abstract: true,
    id: { zone: { kind: 'text' }, place: { kind: 'integer' }, day: { kind: 'date' } },
    attributes: { zone: { kind: 'text' }, size: { kind: 'integer', nullable: true } },
    relationships: {
      above: { kind: 'belongsTo', to: 'spots', inverse: 'below' },
      below: { kind: 'hasMany', to: 'spots', inverse: 'above' },
      links: { kind: 'manyToMany', to: 'spots', inverse: 'linked' },
      linked: { kind: 'inverseManyToMany', to: 'spots', inverse: 'links' },
      badges: { kind: 'inverseManyToMany', to: 'badges', inverse: 'opens' },
      visitors: { kind: 'hasMany', to: 'creatures', inverse: 'spot' },
    },
  },
  rooms: { base: 'spots', relationships: { owner: { kind: 'ownsOneToOne', to: 'men', inverse: 'room' } } },
  halls: {
    base: 'spots',
    attributes: { use: { kind: 'text', nullable: true } },
    relationships: { twin: { kind: 'ownsOneToOne', to: 'rooms' } },
  },
  puppies: { base: 'dogs', attributes: { isWeaned: { kind: 'boolean', nullable: true } } },
}

export const TYPES = new Types(MODEL)
