import type { DataSource, EntityManager } from 'typeorm'
import { Author } from './entities/author'
import { Branch } from './entities/branch'
import { Copy } from './entities/copy'
import { Member } from './entities/member'
import { Book, Magazine } from './entities/printed'
import { Audiobook, Film } from './entities/recording'
import { hashPassword } from './passwords'

/** Fills an empty database with two tenants, each with a librarian, two members and six items with two copies. Applies no rules. */
export async function seed(dataSource: DataSource): Promise<void> {
  if ((await dataSource.manager.count(Branch)) > 0) return
  const password = await hashPassword('open sesame')
  await dataSource.transaction(async (manager) => {
    for (const tenant of ['ashford', 'brookdale']) await seedTenant(manager, tenant, password)
  })
}

async function seedTenant(manager: EntityManager, tenant: string, password: string): Promise<void> {
  const member = { tenant, password }
  await manager.insert(Member, [
    { ...member, name: 'Lena', email: 'lena@example.com', role: 'librarian' },
    { ...member, name: 'Ada', email: 'ada@example.com' },
    { ...member, name: 'Ben', email: 'ben@example.com', notes: 'Returns books late.' },
  ])
  const branches = await manager.save(Branch, [
    { tenant, name: 'Centre' },
    { tenant, name: 'Station' },
  ])
  const austen = await manager.save(Author, { tenant, name: 'Jane Austen' })
  const herbert = await manager.save(Author, { tenant, name: 'Frank Herbert' })
  const items = await manager.save([
    manager.create(Book, { tenant, title: 'Emma', year: 1815, pages: 474, isbn: '9780141439587', authors: [austen] }),
    manager.create(Book, { tenant, title: 'Dune', year: 1965, pages: 412, isbn: '9780441172719', authors: [herbert] }),
    manager.create(Magazine, { tenant, title: 'Trees', year: 2026, pages: 60, issue: 7 }),
    manager.create(Audiobook, {
      tenant,
      title: 'Emma, read aloud',
      year: 2015,
      minutes: 960,
      narrator: 'Moira Fogarty',
      authors: [austen],
    }),
    manager.create(Film, { tenant, title: 'Dune', year: 2021, minutes: 155, minimumAge: 12 }),
    manager.create(Film, { tenant, title: 'Emma', year: 2020, minutes: 124 }),
  ])
  const copies = items.flatMap((item) =>
    branches.map((branch) => ({ tenant, item, branch, barcode: `${item.title[0]}-${item.id}-${branch.id}` })),
  )
  await manager.save(Copy, copies)
}
