// Runs prepared statements. Rows are arrays.
const { requireOfProject } = require('../packages')

const { PROFILE_ATTRIBUTES } = require('../data/catalog')

const ARTICLE = 'id, title, body, url, createdAt'
const PROFILE = ['id', ...Object.keys(PROFILE_ATTRIBUTES)].join(', ')

exports.openSqlite = (path) => {
  const Database = requireOfProject('better-sqlite3')
  const database = new Database(path)
  for (const setting of ['journal_mode = wal', 'synchronous = normal', 'foreign_keys = on']) database.pragma(setting)
  const prepare = (text) => database.prepare(text).raw()
  const article = prepare(`select ${ARTICLE} from articles where id = ?`)
  const articles = prepare(`select ${ARTICLE} from articles order by id limit ? offset ?`)
  const articlesAfter = prepare(`select ${ARTICLE} from articles where id > ? order by id limit ?`)
  const withAuthors = prepare(`select ${ARTICLE}, authorId from articles order by id limit ? offset ?`)
  const count = prepare('select count(*) from articles')
  const comments = prepare(
    'select c.id, c.text, c.authorId, c.articleId from json_each(?) parent cross join comments c on c.id in ' +
      '(select x.id from comments x where x.articleId = parent.value order by x.id limit ?)',
  )
  const authors = prepare('select id, name, email from authors where id in (select value from json_each(?))')
  const women = prepare(
    "select id, name, maidenName from humans where kind = 'woman' and maidenName = ? order by name, id limit ?",
  )
  const articlesOfBlog = prepare(`select ${ARTICLE} from articles where blogId = ? order by id limit ?`)
  const blog = prepare('select id, title from blogs where id = ?')
  const profiles = prepare(`select ${PROFILE} from profiles order by id limit ? offset ?`)
  const teams = prepare('select id, name from teams order by id limit ? offset ?')
  const membersOf = prepare(
    'select m.id, m.name, m.email, l.teamId from json_each(?) team cross join teams_members l on l.teamId = team.value join members m ' +
      'on m.id = l.memberId',
  )
  const create = prepare(
    `insert into articles (title, body, url, authorId, blogId) values (?, ?, ?, ?, ?) returning ${ARTICLE}`,
  )
  const update = prepare(`update articles set title = ? where id = ? returning ${ARTICLE}`)
  return {
    article: (id) => article.get(id),
    articles: (limit, offset) => articles.all(limit, offset),
    articlesAfter: (id, limit) => articlesAfter.all(id, limit),
    articlesWithAuthors: (limit, offset) => withAuthors.all(limit, offset),
    count: () => count.get()[0],
    commentsOf: (ids, limit) => comments.all(JSON.stringify(ids), limit),
    authors: (ids) => authors.all(JSON.stringify(ids)),
    women: (maidenName, limit) => women.all(maidenName, limit),
    articlesOfBlog: (id, limit) => articlesOfBlog.all(id, limit),
    blog: (id) => blog.get(id),
    profiles: (limit, offset) => profiles.all(limit, offset),
    teams: (limit, offset) => teams.all(limit, offset),
    membersOf: (ids) => membersOf.all(JSON.stringify(ids)),
    create: (values) => create.get(values),
    update: (title, id) => update.get(title, id),
  }
}
