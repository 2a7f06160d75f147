import type { ResourceClass } from 'stemma'
import { type ApiOptions, startApi, type TestApi } from '../../support/api'
import { insertRows, linkRow, updateRows } from '../../support/rows'
import { Article, Comment, Export, Image, Log, Person, RESOURCES, Tag, Video } from './article-models'
import { RULES } from './article-rules'

/**
 * What the requirements of JSON:API are tried on.
 *
 * - articles 1 to 30, of which 2 has nothing: no author, comments or tags. The author is person 9 where the id is odd, else 2.
 * - people 1 to 9; the best friend of 9 is 2; 7 is a robot.
 * - comments 5 (by 2) and 12 (by 9) of article 1, and 14 others (without author) of article 3.
 * - tags 1 to 4; article 1 has 2 and 3.
 * - image 1, the cover of article 1, and video 2, by 9; log 1 of article 1; export 1.
 */
export async function startArticles(options: ApiOptions = {}): Promise<TestApi> {
  const api = await startApi(RESOURCES, { definitions: RULES, ...options })
  const insert = (entity: ResourceClass, rows: readonly object[]) => insertRows(api.dataSource, entity, rows)
  await insert(
    Person,
    NAMES.map((name) => ({ name })),
  )
  await updateRows(api.dataSource, [Person, 9], { bestFriend: { id: 2 } })
  await insert(
    Tag,
    numbers(4).map((number) => ({ id: tagId(number), label: `tag ${number}` })),
  )
  const uploader = { id: 9 }
  await insert(Image, [{ title: 'Oak', size: 3, uploader }])
  await insert(Video, [{ title: 'Elm', seconds: 60, uploader }])
  await insert(Article, numbers(30).map(articleOf))
  await insert(Comment, numbers(16).map(commentOf))
  await linkRow(api.dataSource, [Article, 1], 'tags', [tagId(2), tagId(3)])
  await insert(Log, [{ text: 'Written', article: { id: 1 } }])
  await insert(Export, [{ name: 'small' }])
  return api
}

/** Returns the id of a tag, which is a UUID. */
export function tagId(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
}

/** Returns resource identifiers of tags: `tags(2, 3)`. */
export function tags(...ofNumbers: readonly number[]) {
  return ofNumbers.map((number) => ({ type: 'tags', id: tagId(number) }))
}

export function person(id: number) {
  return { type: 'people', id: String(id) }
}

/** Returns a document that creates an article: `newArticle({ title: 'Ash' }, { author: { data: person(9) } })`. */
export function newArticle(attributes: object, relationships?: object) {
  return { data: { type: 'articles', attributes, ...(relationships !== undefined && { relationships }) } }
}

/** Returns a document that updates an article: `changed('1', { attributes: { title: 'Ash' } })`. */
export function changed(id: string, members: object, type = 'articles') {
  return { data: { type, id, ...members } }
}

const NAMES = ['Ann', 'Ben', 'Cleo', 'Dan', 'Eve', 'Finn', 'Robot', 'Hal', 'Ida']

function articleOf(number: number): object {
  return {
    title: `Title ${String(number).padStart(2, '0')}`,
    body: `Body ${number}`,
    views: number % 4,
    author: number === 2 ? null : { id: number % 2 === 0 ? 2 : 9 },
    ...(number === 1 && { editor: { id: 2 }, cover: { id: 1 } }),
  }
}

function commentOf(number: number): object {
  const author = { 5: { id: 2 }, 12: { id: 9 } }[number]
  return { body: `Comment ${number}`, author: author ?? null, article: { id: author === undefined ? 3 : 1 } }
}

function numbers(last: number): readonly number[] {
  return Array.from({ length: last }, (_, index) => index + 1)
}
