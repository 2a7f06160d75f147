// The rows and requests of expensive-requests.js, over the entities of test/support/blogs.ts.

/** Each blog has articles, each article comments and revisions, each comment replies: as many as a group, or none. */
exports.fillBlogs = async (dataSource, rows, group = 10) => {
  const each = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${rows})`
  const groups = Math.ceil(rows / group)
  const statements = [
    `insert into blog (title) ${each} select 'blog ' || (i * 7919 % ${rows}) from n`,
    `insert into article (title, subtitle, views, likes, price, status, publishedAt, blogId) ${each} select 'article ' || (i * 7919 % ${rows}),
      'A subtitle of some forty characters ' || i, i * 31 % 1000, i % 7, 1.5, 'draft', '2024-02-29 12:30:00.000', 1 + (i * 13 % ${groups}) from n`,
    `insert into comment (id, body, articleId, parentId) ${each} select i, 'A comment of a length that people write, which is one sentence: ' || i,
      1 + (i * 17 % ${groups}), case when i > ${groups} then 1 + (i * 7 % ${groups}) end from n`,
    `insert into revision (id, number, articleId) ${each} select printf('%08x-0000-4000-8000-000000000000', i), i % 5, 1 + (i * 19 % ${groups}) from n`,
    `insert into tag (id, rank) ${each} select 'tag' || i, i % 100 from n`,
    `insert or ignore into article_tags_tag (articleId, tagId) ${each} select 1 + (i * 23 % ${rows}), 'tag' || (1 + i * 29 % ${groups}) from n`,
    'create index article_blog on article (blogId)',
    'create index revision_article on revision (articleId)',
    'analyze',
  ]
  for (const statement of statements) await dataSource.query(statement)
}

const times = (count, term) => Array.from({ length: count }, (_, index) => term(index)).join()

/** The filters match nothing, so that the database reads all rows, for the page and for the total. */
exports.FIXED_REQUESTS = [
  '/articles?page[number]=5000',
  '/articles?page[number]=9999&sort=subtitle',
  '/articles?sort=-views',
  '/articles?sort=title,subtitle,views,likes,price,status,publishedAt,id,bytes,rating',
  '/articles?sort=blog.title,title',
  '/comments?sort=article.blog.title,parent.article.blog.title',
  '/articles?sort=count(comments)',
  '/articles?sort=count(comments),count(tags),count(revisions),count(blog.articles)',
  `/articles?sort=${times(10, (index) => `${index % 2 === 0 ? '' : '-'}count(comments)`)}`,
  "/articles?filter=equals(title,'x')",
  "/articles?filter=contains(subtitle,'x')",
  "/articles?filter=equals(blog.title,'x')",
  `/articles?filter=any(title,${times(490, (index) => `'x${index}'`)})`,
  `/articles?filter=or(${times(60, (index) => `equals(publishedAt,'2025-01-01T00:00:${String(index).padStart(2, '0')}Z')`)})`,
  `/articles?filter=or(${times(160, () => "equals(count(comments),'900')")})`,
  `/articles?filter=or(${times(160, (index) => `equals(count(comments),'${900 + index}')`)})`,
  `/articles?filter=or(${times(70, (index) => `contains(subtitle,'x${index}')`)})`,
  `/articles?filter=or(${times(70, (index) => `endsWith(subtitle,'x${index}')`)})`,
  `/articles?filter=or(${times(240, (index) => `equals(views,'${-1 - index}')`)})`,
  `/articles?filter=or(${times(8, (index) => `has(comments,equals(body,'x${index}'))`)})`,
  `/articles?filter=or(${times(4, (index) => `has(tags,equals(rank,'-1${index}'))`)})`,
  "/blogs?filter=has(articles,has(comments,contains(body,'x')))",
  "/blogs?filter=has(articles,has(comments,has(replies,contains(body,'x'))))",
  "/articles?filter=has(blog.articles,contains(subtitle,'x'))",
  "/comments?filter=has(article.blog.articles,equals(title,'x'))",
  "/articles?filter=has(blog.articles,has(comments,equals(body,'x')))",
  "/articles?filter=has(tags,has(articles,equals(title,'x')))",
  "/tags?filter=has(articles,has(tags,equals(rank,'-1')))",
  "/comments?filter=has(replies,has(replies,has(replies,equals(body,'x'))))",
  "/comments?filter=has(parent.replies,equals(body,'x'))",
  "/articles?filter=has(comments,equals(count(article.comments),'99999'))",
  "/blogs?filter=has(articles,equals(count(blog.articles),'99999'))",
  "/blogs?filter=has(articles,has(comments,equals(count(article.comments),'99999')))",
  "/articles?filter=has(tags,equals(count(articles),'99999'))",
  "/tags?filter=has(articles,equals(count(tags),'99999'))",
  "/articles?filter=has(tags,has(articles,equals(count(blog.articles),'99999')))",
  "/blogs/1/articles?filter=has(blog.articles,equals(title,'x'))",
  '/blogs/1/articles?sort=count(blog.articles)',
  "/articles/1/comments?filter=has(article.blog.articles,equals(title,'x'))",
  "/articles/1/comments?filter=has(replies,has(parent.replies,equals(body,'x')))",
  "/articles/1/tags?filter=has(articles,equals(count(tags),'99999'))",
  '/articles?page[size]=100&include=comments,tags,revisions,blog',
  '/blogs?page[size]=100,articles:100&include=articles',
  '/blogs?page[size]=100&include=articles.comments,articles.tags,articles.revisions',
  '/blogs?page[size]=100,articles:20,articles.comments:40&include=articles.comments',
  "/blogs?page[size]=100,articles:100&include=articles&filter[articles]=has(comments,equals(body,'x'))",
  '/blogs?page[size]=100,articles:100&include=articles&sort[articles]=count(comments),count(tags)',
  "/blogs?page[size]=100&include=articles&filter[articles]=has(blog.articles,equals(title,'x'))",
  '/blogs?page[size]=100&include=articles&sort[articles]=count(blog.articles)',
  "/blogs?page[size]=100&include=articles.comments&filter[articles.comments]=has(article.comments,equals(body,'x'))",
  "/articles?page[size]=100&include=tags.articles&filter[tags.articles]=has(comments,equals(body,'x'))",
]

const TERMS = {
  articles: [
    (value) => `equals(title,'x${value}')`,
    (value) => `lessThan(views,'-${value}')`,
    (value) => `contains(subtitle,'x${value}')`,
    (value) => `endsWith(title,'x${value}')`,
    (value) => `equals(blog.title,'x${value}')`,
    (value) => `equals(count(comments),'9${value}')`,
    (value) => `greaterThan(count(tags),'9${value}')`,
    (value) => `has(comments,equals(body,'x${value}'))`,
    (value) => `has(tags,equals(rank,'-${value}'))`,
    (value) => `has(revisions,equals(number,'-${value}'))`,
    (value) => `has(blog.articles,equals(title,'x${value}'))`,
    (value) => `has(comments,has(replies,startsWith(body,'x${value}')))`,
    (value) => `any(title,${times(20, (index) => `'x${value}.${index}'`)})`,
  ],
  comments: [
    (value) => `equals(body,'x${value}')`,
    (value) => `startsWith(body,'x${value}')`,
    (value) => `contains(article.subtitle,'x${value}')`,
    (value) => `equals(parent.article.blog.title,'x${value}')`,
    (value) => `has(replies,contains(body,'x${value}'))`,
    (value) => `equals(count(article.comments),'9${value}')`,
    (value) => `has(article.tags,equals(rank,'-${value}'))`,
  ],
  blogs: [
    (value) => `contains(title,'x${value}')`,
    (value) => `has(articles,contains(subtitle,'x${value}'))`,
    (value) => `has(articles,has(comments,contains(body,'x${value}')))`,
    (value) => `has(articles,equals(count(revisions),'9${value}'))`,
    (value) => `equals(count(articles),'9${value}')`,
  ],
}

const SORTS = {
  articles: ['', 'subtitle', 'count(comments)', 'blog.title,-count(tags)'],
  comments: ['', '-body', 'article.title', 'count(replies)'],
  blogs: ['', '-title', 'count(articles)'],
}

/** Returns a request with as many terms of several kinds as the cost limit allows. */
exports.randomRequest = async ({ random, costOf, maxCost }) => {
  const choose = (list) => list[Math.floor(random() * list.length)]
  const type = choose(Object.keys(TERMS))
  const kinds = Array.from({ length: 1 + Math.floor(random() * 3) }, () => choose(TERMS[type]))
  const joined = choose(['or', 'or', 'and'])
  const wrap = joined === 'and' ? (term) => `not(${term})` : (term) => term
  const sort = choose(SORTS[type])
  const requestOf = (count) => {
    const terms = times(count, (index) => wrap(kinds[index % kinds.length](index)))
    const filter = count === 1 ? terms : `${joined}(${terms})`
    return `/${type}?filter=${filter}${sort === '' ? '' : `&sort=${sort}`}`
  }
  let [allowed, rejected] = [1, 2]
  while ((await costOf(requestOf(rejected))) <= maxCost) [allowed, rejected] = [rejected, rejected * 2]
  while (rejected - allowed > 1) {
    const middle = (allowed + rejected) >> 1
    if ((await costOf(requestOf(middle))) <= maxCost) allowed = middle
    else rejected = middle
  }
  return requestOf(allowed)
}
