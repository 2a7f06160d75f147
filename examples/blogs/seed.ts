import type { DataSource, EntityManager } from 'typeorm'
import { Article } from './article'
import { Blog } from './blog'
import { Revision } from './revision'
import { Tag } from './tag'

const BLOGS = [
  { title: 'Trees', subjects: ['Oaks', 'Beeches', 'Ashes', 'Elms', 'Limes'] },
  { title: 'Birds', subjects: ['Owls', 'Larks', 'Finches', 'Swifts', 'Herons'] },
  { title: 'Rivers', subjects: ['Springs', 'Brooks', 'Locks', 'Ferries', 'Mills'] },
]

const SEASONS = ['spring', 'summer', 'autumn', 'winter']

const LABELS = [
  ...['city', 'forest', 'garden', 'history', 'hedges', 'light', 'maps', 'meadow'],
  ...['names', 'rain', 'walks', 'weather'],
]

/** Numbers of revisions, repeated for every six articles: 20 for six articles, 200 for sixty. */
const REVISIONS = [9, 0, 5, 1, 3, 2]

/** Numbers of tags, repeated for every five articles. The first article has all tags. */
const TAGS = [2, 0, 1, 3, 1]

const DAY = 24 * 60 * 60 * 1000

/**
 * Fills an empty database with 3 blogs, 60 articles, 200 revisions and 12 tags: the same ones every time. Keeps
 * existing rows.
 */
export async function seed(dataSource: DataSource): Promise<'filled' | 'kept'> {
  if ((await dataSource.manager.count(Blog)) > 0) return 'kept'
  await dataSource.transaction(async (manager) => {
    const blogs = await manager.save(BLOGS.map(({ title }) => manager.create(Blog, { title })))
    const tags = await manager.save(LABELS.map((label) => manager.create(Tag, { label })))
    const articles = await saveArticles(manager, blogs, tags)
    await manager.save(articles.flatMap((article, index) => revisionsOf(article, index, manager)))
  })
  return 'filled'
}

function saveArticles(manager: EntityManager, blogs: readonly Blog[], tags: readonly Tag[]): Promise<Article[]> {
  const titles = BLOGS.flatMap(({ subjects }, blog) =>
    SEASONS.flatMap((season) => subjects.map((subject) => ({ blog, title: `${subject} in ${season}` }))),
  )
  const articles = titles.map(({ blog, title }, index) =>
    manager.create(Article, {
      title,
      body: `${title}: what there is to see, and where.`,
      publishedAt: publishedAt(index),
      blog: blogs[blog] ?? null,
      tags: tagsOf(index, tags),
    }),
  )
  return manager.save(articles)
}

/** Every tenth article is a draft. */
function publishedAt(index: number): Date | null {
  return index % 10 === 9 ? null : new Date(Date.UTC(2024, 0, 1, 12) + index * DAY)
}

function tagsOf(index: number, tags: readonly Tag[]): Tag[] {
  if (index === 0) return [...tags]
  const count = TAGS[index % TAGS.length] ?? 0
  return tags.filter((_, tag) => (tag + 5 * index) % LABELS.length < count)
}

function revisionsOf(article: Article, index: number, manager: EntityManager): Revision[] {
  return Array.from({ length: REVISIONS[index % REVISIONS.length] ?? 0 }, (_, revision) =>
    manager.create(Revision, {
      content: `${article.title}, version ${revision + 1}`,
      createdAt: new Date(Date.UTC(2023, 11, 1, 12) + (index + revision) * DAY),
      article,
    }),
  )
}
