import type { DataSource, EntityManager } from 'typeorm'
import { Human } from './human'
import { Man } from './man'
import { Woman } from './woman'

const FAMILIES = [
  { father: 'Arthur', mother: 'Greta', children: ['Conrad', 'Karen'] },
  { father: 'Bernard', mother: 'Hannah', children: ['Edwin', 'Irene'] },
  { father: 'Conrad', mother: 'Irene', children: ['David', 'Judith'] },
  { father: 'Edwin', mother: 'Karen', children: ['Felix'] },
]

const BEST_FRIENDS = [
  ['Arthur', 'Bernard'],
  ['Bernard', 'Arthur'],
  ['Greta', 'Hannah'],
  ['Hannah', 'Arthur'],
  ['Conrad', 'Edwin'],
  ['Judith', 'Felix'],
  ['Lydia', 'Greta'],
] as const

/**
 * Fills an empty database. Keeps existing rows. Writes through TypeORM, which applies no rules, so that the family can have men with a
 * beard and a woman without a maiden name.
 */
export async function seed(dataSource: DataSource): Promise<'filled' | 'kept'> {
  if ((await dataSource.manager.count(Human)) > 0) return 'kept'
  await dataSource.transaction(async (manager) => {
    const saved = await savePeople(manager)
    for (const { father, mother, children } of FAMILIES) {
      await link(manager, saved(father), 'wife', saved(mother))
      await link(manager, saved(mother), 'husband', saved(father))
      for (const child of children) {
        await link(manager, saved(child), 'father', saved(father))
        await link(manager, saved(child), 'mother', saved(mother))
        await link(manager, saved(father), 'children', saved(child))
        await link(manager, saved(mother), 'children', saved(child))
      }
    }
    for (const [human, friend] of BEST_FRIENDS) await link(manager, saved(human), 'bestFriend', saved(friend))
  })
  return 'filled'
}

/** Returns a function that finds a person by name. */
async function savePeople(manager: EntityManager): Promise<(name: string) => Human> {
  const people = [
    man('Arthur', 'shaved'),
    woman('Greta', 'Hill'),
    man('Bernard', 'bearded'),
    woman('Hannah', 'Fisher'),
    man('Conrad', 'shaved'),
    woman('Irene', 'Archer'),
    man('Edwin', 'bearded'),
    woman('Karen', 'Carter'),
    man('David', 'shaved'),
    woman('Judith', 'Carter'),
    man('Felix', 'shaved'),
    woman('Lydia', null),
  ]
  // Saves each row first and its relationships later, because TypeORM cannot order rows that refer to each other.
  for (const human of people) await manager.save(human)
  const byName = new Map(people.map((human) => [human.name, human]))
  return (name) => {
    const human = byName.get(name)
    if (human === undefined) throw new Error(`There is no ${name} in the family.`)
    return human
  }
}

async function link(manager: EntityManager, human: Human, relationship: string, related: Human): Promise<void> {
  const relation = manager.createQueryBuilder().relation(human.constructor, relationship).of(human)
  await (relationship === 'children' ? relation.add(related) : relation.set(related))
}

function man(name: string, chin: 'shaved' | 'bearded'): Man {
  return Object.assign(new Man(), { name, hasBeard: chin === 'bearded' })
}

function woman(name: string, maidenName: string | null): Woman {
  return Object.assign(new Woman(), { name, maidenName })
}
