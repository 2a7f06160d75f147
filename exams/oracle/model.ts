import { type Model, Types } from '../shared/model'

// A hierarchy of four levels with all kinds of attributes and relationships, and what it belongs to.

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
      founded: { kind: 'moment', nullable: true },
      fee: { kind: 'decimal', nullable: true },
    },
    relationships: {
      members: { kind: 'pairsOfOther', to: 'creatures', inverse: 'clubs' },
      president: { kind: 'ownsOne', to: 'people', inverse: 'presides' },
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
      seenAt: { kind: 'moment', nullable: true },
      bornOn: { kind: 'date', nullable: true },
      wakes: { kind: 'time', nullable: true },
      mood: { kind: 'enum', nullable: true, values: MOODS },
      traits: { kind: 'list', nullable: true },
      extra: { kind: 'json', nullable: true },
    },
    relationships: {
      bestFriend: { kind: 'belongsTo', to: 'creatures', inverse: 'admirers' },
      admirers: { kind: 'hasMany', to: 'creatures', inverse: 'bestFriend' },
      home: { kind: 'belongsTo', to: 'houses', inverse: 'residents' },
      clubs: { kind: 'pairs', to: 'clubs', inverse: 'members' },
    },
  },
  people: {
    base: 'creatures',
    abstract: true,
    attributes: { title: { kind: 'text', nullable: true } },
    relationships: {
      children: { kind: 'pairs', to: 'people', inverse: 'parents' },
      parents: { kind: 'pairsOfOther', to: 'people', inverse: 'children' },
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
    relationships: { wife: { kind: 'ownsOne', to: 'women', inverse: 'husband' } },
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
  puppies: { base: 'dogs', attributes: { isWeaned: { kind: 'boolean', nullable: true } } },
}

export const TYPES = new Types(MODEL)
