// What is served: blogs as everybody writes them, and humans, men and women in one table. The same rows on every machine and database.
const { createRandom, upTo } = require('./random')

/** Of `scale` 1. */
const COUNTS = { authors: 1000, blogs: 200, articles: 100_000, comments: 500_000, humans: 100_000 }
const SURNAMES = 200
const FIRST_HUMANS = 1000

const WORDS = (
  'the quick brown fox jumps over a lazy dog while seven "wise" owls watch from tall trees near Köln and count naïve mice ' +
  'that hide below old roots café by café until morning brings rain'
).split(' ')

exports.countsAt = (scale) =>
  Object.fromEntries(Object.entries(COUNTS).map(([table, count]) => [table, Math.ceil(count * scale)]))

exports.surname = (number) => `Surname${String(number).padStart(3, '0')}`
exports.SURNAMES = SURNAMES

/**
 * By name, in the order in which they refer to each other. Kinds of columns: `key`, `text`, `moment`, `boolean`, or the table that is
 * referred to. `rows(counts)` gives values in the order of the columns, moments as ISO 8601.
 */
exports.TABLES = {
  authors: {
    columns: { id: 'key', name: 'text', email: 'text' },
    rows: (counts) => numbered(counts.authors, 1, (id, random) => [id, text(random, 12), `author${id}@example.com`]),
  },
  blogs: {
    columns: { id: 'key', title: 'text' },
    rows: (counts) => numbered(counts.blogs, 2, (id, random) => [id, text(random, 20)]),
  },
  articles: {
    columns: {
      id: 'key',
      title: 'text',
      body: 'text',
      url: 'text',
      createdAt: 'moment',
      authorId: 'authors',
      blogId: 'blogs',
    },
    rows: (counts) => numbered(counts.articles, 3, (id, random) => articleOf(id, random, counts)),
    indexes: [['authorId'], ['blogId']],
  },
  comments: {
    columns: { id: 'key', text: 'text', articleId: 'articles', authorId: 'authors' },
    rows: commentsOf,
    indexes: [['articleId', 'id'], ['authorId']],
  },
  humans: {
    columns: {
      ...{ id: 'key', kind: 'text', name: 'text', hasBeard: 'boolean', maidenName: 'text' },
      ...{ fatherId: 'humans', motherId: 'humans', bestFriendId: 'humans', wifeId: 'humans' },
    },
    rows: (counts) => numbered(counts.humans, 5, humanOf),
    indexes: [['maidenName', 'name'], ['kind'], ['fatherId'], ['motherId'], ['bestFriendId'], ['wifeId']],
  },
}

function* numbered(count, seed, rowOf) {
  const random = createRandom(seed)
  for (let id = 1; id <= count; id++) yield rowOf(id, random)
}

function text(random, length) {
  let written = ''
  while (written.length < length) written += `${written === '' ? '' : ' '}${WORDS[Math.floor(random() * WORDS.length)]}`
  return written
}

function articleOf(id, random, { authors, blogs }) {
  const createdAt = new Date(Date.UTC(2015, 0, 1) + Math.floor(random() * 10 * 365 * 86_400_000)).toISOString()
  const words = [text(random, 40), text(random, 200), `https://example.com/articles/${id}`]
  return [id, ...words, createdAt, upTo(random, authors), upTo(random, blogs)]
}

/** Five to an article, most of them to a few: of fifty articles, forty have less than five, nine some more, and one very many. */
function* commentsOf({ comments, articles, authors }) {
  const random = createRandom(4)
  const places = []
  for (let article = 1; places.length < comments; article = (article % articles) + 1)
    for (let left = commentCount(random); left > 0 && places.length < comments; left--) places.push(article)
  shuffle(places, random)
  for (let id = 1; id <= comments; id++) yield [id, text(random, 80), places[id - 1], upTo(random, authors)]
}

function commentCount(random) {
  const kind = random()
  if (kind < 0.02) return 50 + Math.floor(random() * 51)
  return kind < 0.2 ? 5 + Math.floor(random() * 11) : Math.floor(random() * 5)
}

/** Rows of an article are not neighbours: comments come in over the years. */
function shuffle(list, random) {
  for (let last = list.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1))
    ;[list[last], list[other]] = [list[other], list[last]]
  }
}

/** Odd ids are men, even ids women; parents were there before. */
function humanOf(id, random) {
  const isMan = id % 2 === 1
  const father = id > FIRST_HUMANS ? 2 * upTo(random, (id - 2) >> 1) - 1 : null
  const mother = id > FIRST_HUMANS ? 2 * upTo(random, (id - 2) >> 1) : null
  const friend = id > 10 ? upTo(random, id - 1) : null
  const own = isMan ? [random() < 0.4, null] : [null, exports.surname(Math.floor(random() * SURNAMES))]
  const wife = isMan && id > 2 && random() < 0.5 ? id - 1 : null
  return [id, isMan ? 'man' : 'woman', text(random, 14), ...own, father, mother, friend, wife]
}
