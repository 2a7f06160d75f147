// Builds the documents of the baseline from rows. SQLite returns rows, PostgreSQL promises of rows.
const { all, article, author, blog, comment, identifier, member, NOT_FOUND, pageLinks, profile, START, team, woman } =
  require('./strings')

/** Maximum number of included comments for each article. */
const MAX_COMMENTS = 10

/** Avoids a promise if the value is already there, because it would cost more than the query of SQLite. */
function then(value, transform) {
  return value instanceof Promise ? value.then(transform) : transform(value)
}

function articleDocument(row) {
  return row === undefined ? NOT_FOUND : `${START}"links":{"self":"/articles/${row[0]}"},"data":${article(row)}}`
}

/** Removes the extra row after the page. Returns true if there was one, so that there is a next page. */
function removeExtraRow(rows, size) {
  const hasNext = rows.length > size
  if (hasNext) rows.pop()
  return hasNext
}

exports.createDocuments = (store) => {
  const documents = {
    article: (id) => then(store.article(id), articleDocument),
    articles(page) {
      if (page.blog !== undefined) return articlesOfBlog(page)
      if (page.include !== undefined) return articlesWithIncluded(page)
      if (page.isCounted) return then(store.count(), (total) => articlePage(page, total))
      return page.afterId === undefined
        ? articlePage(page)
        : then(store.articlesAfter(page.afterId, page.size + 1), (rows) => pageDocument(rows, page))
    },
    women: (maidenName, page) =>
      then(store.women(maidenName, page.size + 1), (rows) => {
        const hasNext = removeExtraRow(rows, page.size)
        const query = `&filter%5BmaidenName%5D=${encodeURIComponent(maidenName)}&sort=name`
        return `${START}${pageLinks('/women', { ...page, query }, { hasNext })},"data":[${all(rows, woman)}]}`
      }),
    profiles: (page) =>
      then(store.profiles(page.size + 1, (page.number - 1) * page.size), (rows) => {
        const hasNext = removeExtraRow(rows, page.size)
        return `${START}${pageLinks('/profiles', { ...page, query: '' }, { hasNext })},"data":[${all(rows, profile)}]}`
      }),
    teams: (page) =>
      then(store.teams(page.size + 1, (page.number - 1) * page.size), (rows) => {
        const hasNext = removeExtraRow(rows, page.size)
        const members = store.membersOf(rows.map((row) => row[0]))
        return then(members, (found) => teamDocument(rows, found, { page, hasNext }))
      }),
    create({ data: { attributes, relationships } }) {
      const { title, body, url } = attributes
      return then(
        store.create([title, body, url, Number(relationships.author.data.id), Number(relationships.blog.data.id)]),
        articleDocument,
      )
    },
    update: (id, { data }) => then(store.update(data.attributes.title, id), articleDocument),
  }

  function articlePage(page, total) {
    return then(store.articles(page.size + 1, (page.number - 1) * page.size), (rows) => pageDocument(rows, page, total))
  }

  function pageDocument(rows, page, total) {
    const hasNext = removeExtraRow(rows, page.size)
    const last = total === undefined ? undefined : Math.ceil(total / page.size)
    const links = pageLinks('/articles', { ...page, query: '' }, { hasNext, last })
    const meta = total === undefined ? '' : `,"meta":{"total":${total}}`
    return `${START}${links}${meta},"data":[${all(rows, article)}]}`
  }

  function articlesOfBlog(page) {
    return then(store.articlesOfBlog(page.blog, page.size + 1), (rows) => {
      const hasNext = removeExtraRow(rows, page.size)
      return then(store.blog(page.blog), (found) => {
        const links = pageLinks(
          '/articles',
          { ...page, query: `&filter%5Bblog%5D=${page.blog}&include=blog` },
          { hasNext },
        )
        const data = all(rows, (row) => article(row, { blog: page.blog }))
        return `${START}${links},"data":[${data}],"included":[${blog(found)}]}`
      })
    })
  }

  /** `include=author,comments.author` */
  function articlesWithIncluded(page) {
    return then(store.articlesWithAuthors(page.size + 1, (page.number - 1) * page.size), (rows) => {
      const hasNext = removeExtraRow(rows, page.size)
      return then(
        store.commentsOf(
          rows.map((row) => row[0]),
          MAX_COMMENTS,
        ),
        (comments) => {
          const people = new Set([...rows.map((row) => row[5]), ...comments.map((row) => row[2])])
          return then(store.authors([...people]), (authors) =>
            compoundDocument({ rows, comments, authors }, page, hasNext),
          )
        },
      )
    })
  }

  return documents
}

function teamDocument(rows, found, { page, hasNext }) {
  const byTeam = new Map()
  const included = new Map()
  for (const row of found) {
    const earlier = byTeam.get(row[3])
    byTeam.set(row[3], `${earlier === undefined ? '' : `${earlier},`}${identifier('members', row[0])}`)
    included.set(row[0], row)
  }
  const links = pageLinks('/teams', { ...page, query: '&include=members' }, { hasNext })
  const data = all(rows, (row) => team(row, byTeam.get(row[0]) ?? ''))
  return `${START}${links},"data":[${data}],"included":[${all([...included.values()], member)}]}`
}

function compoundDocument({ rows, comments, authors }, page, hasNext) {
  const byArticle = new Map()
  for (const [id, , , articleId] of comments) {
    const earlier = byArticle.get(articleId)
    byArticle.set(articleId, `${earlier === undefined ? '' : `${earlier},`}${identifier('comments', id)}`)
  }
  const data = all(rows, (row) => article(row, { author: row[5], comments: byArticle.get(row[0]) ?? '' }))
  const links = pageLinks('/articles', { ...page, query: '&include=author,comments.author' }, { hasNext })
  return `${START}${links},"data":[${data}],"included":[${all(comments, comment)},${all(authors, author)}]}`
}
