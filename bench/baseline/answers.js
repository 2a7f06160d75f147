// The documents of the floors, from rows that come at once (SQLite) or later (PostgreSQL).
const { all, article, author, comment, identifier, NOT_FOUND, pageLinks, START, woman } = require('./strings')

/** No more comments of an article are included. */
const COMMENTS = 10

/** A promise costs more than the row that it holds, so SQLite has none. */
function then(value, next) {
  return value instanceof Promise ? value.then(next) : next(value)
}

function one(row) {
  return row === undefined ? NOT_FOUND : `${START}"links":{"self":"/articles/${row[0]}"},"data":${article(row)}}`
}

/** One row more than a page has tells whether there is a next one. */
function cut(rows, size) {
  const hasNext = rows.length > size
  if (hasNext) rows.pop()
  return hasNext
}

exports.createAnswers = (store) => {
  const answers = {
    article: (id) => then(store.article(id), one),
    articles(page) {
      if (page.include !== undefined) return included(page)
      if (page.isCounted) return then(store.count(), (total) => articlePage(page, total))
      return page.behind === undefined
        ? articlePage(page)
        : then(store.articlesBehind(page.behind, page.size + 1), (rows) => write(rows, page))
    },
    women: (maidenName, page) =>
      then(store.women(maidenName, page.size + 1), (rows) => {
        const hasNext = cut(rows, page.size)
        const query = `&filter%5BmaidenName%5D=${encodeURIComponent(maidenName)}&sort=name`
        return `${START}${pageLinks('/women', { ...page, query }, { hasNext })},"data":[${all(rows, woman)}]}`
      }),
    create({ data: { attributes, relationships } }) {
      const { title, body, url } = attributes
      return then(
        store.create([title, body, url, Number(relationships.author.data.id), Number(relationships.blog.data.id)]),
        one,
      )
    },
    update: (id, { data }) => then(store.update(data.attributes.title, id), one),
  }

  function articlePage(page, total) {
    return then(store.articles(page.size + 1, (page.number - 1) * page.size), (rows) => write(rows, page, total))
  }

  function write(rows, page, total) {
    const hasNext = cut(rows, page.size)
    const last = total === undefined ? undefined : Math.ceil(total / page.size)
    const links = pageLinks('/articles', { ...page, query: '' }, { hasNext, last })
    const meta = total === undefined ? '' : `,"meta":{"total":${total}}`
    return `${START}${links}${meta},"data":[${all(rows, article)}]}`
  }

  /** `include=author,comments.author` */
  function included(page) {
    return then(store.articlesWithAuthors(page.size + 1, (page.number - 1) * page.size), (rows) => {
      const hasNext = cut(rows, page.size)
      return then(
        store.commentsOf(
          rows.map((row) => row[0]),
          COMMENTS,
        ),
        (comments) => {
          const people = new Set([...rows.map((row) => row[5]), ...comments.map((row) => row[2])])
          return then(store.authors([...people]), (authors) => compound({ rows, comments, authors }, page, hasNext))
        },
      )
    })
  }

  return answers
}

function compound({ rows, comments, authors }, page, hasNext) {
  const byArticle = new Map()
  for (const [id, , , articleId] of comments) {
    const before = byArticle.get(articleId)
    byArticle.set(articleId, `${before === undefined ? '' : `${before},`}${identifier('comments', id)}`)
  }
  const data = all(rows, (row) => article(row, { author: row[5], comments: byArticle.get(row[0]) ?? '' }))
  const links = pageLinks('/articles', { ...page, query: '&include=author,comments.author' }, { hasNext })
  return `${START}${links},"data":[${data}],"included":[${all(comments, comment)},${all(authors, author)}]}`
}
