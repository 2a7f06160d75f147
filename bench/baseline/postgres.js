// Named statements that give rows as arrays, over a pool. Moments stay text.
const { library } = require('../packages')

const ARTICLE = `id, title, body, url, to_char("createdAt" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

exports.openPostgres = (place) => {
  const { Pool } = library('pg')
  const pool = new Pool({ connectionString: place, max: 10 })
  let statements = 0
  const prepare = (text) => {
    const name = `statement${statements++}`
    return async (...values) => (await pool.query({ name, text, values, rowMode: 'array' })).rows
  }
  const count = prepare('select count(*)::int from articles')
  const article = prepare(`select ${ARTICLE} from articles where id = $1`)
  const create = prepare(
    `insert into articles (title, body, url, "authorId", "blogId") values ($1, $2, $3, $4, $5) returning ${ARTICLE}`,
  )
  const update = prepare(`update articles set title = $1 where id = $2 returning ${ARTICLE}`)
  const comments = prepare(
    'select c.id, c.text, c."authorId", c."articleId" from unnest($1::int[]) with ordinality parent (id, place) cross join lateral ' +
      '(select * from comments where "articleId" = parent.id order by id limit $2) c order by parent.place, c.id',
  )
  const first = async (rows) => (await rows)[0]
  return {
    article: (id) => first(article(id)),
    articles: prepare(`select ${ARTICLE} from articles order by id limit $1 offset $2`),
    articlesBehind: prepare(`select ${ARTICLE} from articles where id > $1 order by id limit $2`),
    articlesWithAuthors: prepare(`select ${ARTICLE}, "authorId" from articles order by id limit $1 offset $2`),
    count: async () => (await count())[0][0],
    commentsOf: (ids, limit) => comments(ids, limit),
    authors: prepare('select id, name, email from authors where id = any($1::int[])'),
    women: prepare(
      `select id, name, "maidenName" from humans where kind = 'woman' and "maidenName" = $1 order by name, id limit $2`,
    ),
    create: (values) => first(create(...values)),
    update: (title, id) => first(update(title, id)),
  }
}
