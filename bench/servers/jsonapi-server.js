// jsonapi-server over a handler that is written by hand on better-sqlite3: what is measured is the framework.
const { library, others } = require('../packages')
const { PLACE, PORT } = require('./serve')

const Database = library('better-sqlite3')
const database = new Database(PLACE)
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

const nothing = {
  ready: true,
  initialise() {},
  search: (_request, done) => done(null, [], 0),
  find: (_request, done) => done(notFound),
}

const server = others('jsonapi-server')
const { Joi } = server
const text = Joi.string()
server.setConfig({ protocol: 'http', hostname: '127.0.0.1', port: PORT, base: '', graphiql: false })
server.define({ resource: 'authors', handlers: nothing, attributes: { name: text, email: text } })
server.define({ resource: 'blogs', handlers: nothing, attributes: { title: text } })
server.define({ resource: 'comments', handlers: nothing, attributes: { text, article: Joi.one('articles') } })
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
// It has no event for listening.
setTimeout(() => process.send?.('ready'), 500)
