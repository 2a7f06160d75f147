import { seed } from '../../examples/humans/seed'
import { openMemory, type TestDatabase } from './database'
import { findLinked, findRows } from './find-rows'
import { Human, Man, Woman } from './humans'
import { insertRow, linkRow, updateRows } from './rows'
import { applyLayout, LAYOUT, type Layout } from './table-layout'

const HUMANS = [Human, Man, Woman]

/** The rows of the example, which writes them to a single table. For other layouts they are copied with the same ids. */
export async function seedFamily({ dataSource, connection }: TestDatabase, tables: Layout = LAYOUT): Promise<void> {
  if (tables === 'single') return void (await seed(dataSource))
  const example = await openMemory(HUMANS, 'single')
  await seed(example.dataSource)
  const { dataSource: source } = example
  const people = (await findRows(source, Human)).toSorted((one, other) => one.id - other.id)
  for (const person of people) {
    const { id, name, hasBeard, maidenName } = person
    await insertRow(dataSource, typeOf(person), { id, name, hasBeard, maidenName })
  }
  for (const person of people) {
    const { id, father, mother, bestFriend, wife, husband } = person
    const links = typeOf(person) === Man ? { wife } : { husband }
    await updateRows(dataSource, [typeOf(person), id], { father, mother, bestFriend, ...links })
    await linkRow(dataSource, [Human, id], 'children', await findLinked(source, [Human, id], 'children'))
  }
  await example.close()
  applyLayout(HUMANS, tables, connection.type)
}

function typeOf(person: object): typeof Man | typeof Woman {
  return person instanceof Man ? Man : Woman
}
