// jsonapi-server with a hand-written better-sqlite3 handler, so that mainly the framework is measured.
const { requireOfProject, requireOfBench } = require('../packages')
const { DATABASE, PORT } = require('./serve')

const Database = requireOfProject('better-sqlite3')
const database = new Database(DATABASE)
database.pragma('journal_mode = wal')
database.pragma('synchronous = normal')

const COLUMNS = 'id, title, body, url, createdAt, authorId, blogId'
const one = database.prepare(`select ${COLUMNS} from articles where id = ?`)
const page = database.prepare(`select ${COLUMNS} from articles order by id limit ? offset ?`)
const count = database.prepare('select count(*) from articles').pluck()
const insert = database.prepare('insert into articles (title, body, url, authorId, blogId) values (?, ?, ?, ?, ?)')
const change = database.prepare('update articles set title = ? where id = ?')

function toResource({ id, title, body, url, createdAt, authorId, blogId }) {
  return {
    ...{ type: 'articles', id: String(id), title, body, url },
    createdAt: `${createdAt.slice(0, 10)}T${createdAt.slice(11)}Z`,
    author: { type: 'authors', id: String(authorId) },
    blog: { type: 'blogs', id: String(blogId) },
  }
}

const notFound = { status: '404', code: 'ENOTFOUND', title: 'Not Found', detail: 'Not Found' }

const articles = {
  ready: true,
  initialise() {},
  search({ params }, done) {
    const { limit, offset } = params.page ?? { limit: 50, offset: 0 }
    done(null, page.all(limit, offset).map(toResource), count.get())
  },
  find({ params }, done) {
    const row = one.get(Number(params.id))
    if (row === undefined) done(notFound)
    else done(null, toResource(row))
  },
  create(_request, { title, body, url, author, blog }, done) {
    const { lastInsertRowid } = insert.run(title, body, url, Number(author.id), Number(blog.id))
    done(null, toResource(one.get(lastInsertRowid)))
  },
  update({ params }, { title }, done) {
    change.run(title, Number(params.id))
    done(null, toResource(one.get(Number(params.id))))
  },
}

const emptyHandlers = {
  ready: true,
  initialise() {},
  search: (_request, done) => done(null, [], 0),
  find: (_request, done) => done(notFound),
}

const server = requireOfBench('jsonapi-server')
const { Joi } = server
const text = Joi.string()
server.setConfig({ protocol: 'http', hostname: '127.0.0.1', port: PORT, base: '', graphiql: false })
server.define({ resource: 'authors', handlers: emptyHandlers, attributes: { name: text, email: text } })
server.define({ resource: 'blogs', handlers: emptyHandlers, attributes: { title: text } })
server.define({ resource: 'comments', handlers: emptyHandlers, attributes: { text, article: Joi.one('articles') } })
server.define({
  resource: 'articles',
  handlers: articles,
  attributes: {
    ...{ title: text, body: text, url: text, createdAt: text },
    ...{ author: Joi.one('authors'), blog: Joi.one('blogs') },
    comments: Joi.belongsToMany({ resource: 'comments', as: 'article' }),
  },
})
server.start()
// jsonapi-server has no event for the start of listening.
setTimeout(() => process.send?.('ready'), 500)
