// Runs prepared statements on a pool. Rows are arrays, and timestamps are text.
const { PROFILE_ATTRIBUTES } = require('../data/catalog')
const { requireOfProject } = require('../packages')

const timestamp = (column) => `to_char("${column}" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
const ARTICLE = `id, title, body, url, ${timestamp('createdAt')}`
const PROFILE = Object.entries(PROFILE_ATTRIBUTES)
  .map(([name, kind]) => (kind === 'timestamp' ? timestamp(name) : name))
  .join(', ')

exports.openPostgres = (url) => {
  const { Pool } = requireOfProject('pg')
  const pool = new Pool({ connectionString: url, max: 10 })
  let statementCount = 0
  const prepare = (text) => {
    const name = `statement${statementCount++}`
    return async (...values) => (await pool.query({ name, text, values, rowMode: 'array' })).rows
  }
  const count = prepare('select count(*)::int from articles')
  const article = prepare(`select ${ARTICLE} from articles where id = $1`)
  const create = prepare(
    `insert into articles (title, body, url, "authorId", "blogId") values ($1, $2, $3, $4, $5) returning ${ARTICLE}`,
  )
  const update = prepare(`update articles set title = $1 where id = $2 returning ${ARTICLE}`)
  const comments = prepare(
    'select c.id, c.text, c."authorId", c."articleId" from unnest($1::int[]) with ordinality parent (id, position) cross join lateral ' +
      '(select * from comments where "articleId" = parent.id order by id limit $2) c order by parent.position, c.id',
  )
  const blog = prepare('select id, title from blogs where id = $1')
  const first = async (rows) => (await rows)[0]
  return {
    article: (id) => first(article(id)),
    articles: prepare(`select ${ARTICLE} from articles order by id limit $1 offset $2`),
    articlesAfter: prepare(`select ${ARTICLE} from articles where id > $1 order by id limit $2`),
    articlesWithAuthors: prepare(`select ${ARTICLE}, "authorId" from articles order by id limit $1 offset $2`),
    count: async () => (await count())[0][0],
    commentsOf: (ids, limit) => comments(ids, limit),
    authors: prepare('select id, name, email from authors where id = any($1::int[])'),
    women: prepare(
      `select id, name, "maidenName" from humans where kind = 'woman' and "maidenName" = $1 order by name, id limit $2`,
    ),
    articlesOfBlog: prepare(`select ${ARTICLE} from articles where "blogId" = $1 order by id limit $2`),
    blog: (id) => first(blog(id)),
    profiles: prepare(`select id, ${PROFILE} from profiles order by id limit $1 offset $2`),
    teams: prepare('select id, name from teams order by id limit $1 offset $2'),
    membersOf: prepare(
      'select m.id, m.name, m.email, l."teamId" from teams_members l join members m on m.id = l."memberId" where l."teamId" = any($1::int[])',
    ),
    create: (values) => first(create(...values)),
    update: (title, id) => first(update(title, id)),
  }
}
