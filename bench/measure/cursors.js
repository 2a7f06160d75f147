// Cursors of stemma are a mark of the list and the values of its sort keys: one of them tells the mark, and so the cursor of each id.

exports.CURSOR_PAGES = 'application/vnd.api+json;profile="https://jsonapi.org/profiles/ethanresnick/cursor-pagination/"'

/** From the text of a page that was asked for with `CURSOR_PAGES`: `(id) => cursor`. */
exports.readCursors = (text) => {
  const [{ meta }] = JSON.parse(text).data
  const [mark] = JSON.parse(Buffer.from(meta.page.cursor, 'base64url').toString())
  return (id) => Buffer.from(JSON.stringify([mark, String(id)])).toString('base64url')
}
