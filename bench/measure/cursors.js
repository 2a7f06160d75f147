// A cursor of stemma contains a fingerprint of the list and the values of its sort keys. Any cursor of a list gives the fingerprint, and so
// the cursor of each id.

exports.CURSOR_PAGES = 'application/vnd.api+json;profile="https://jsonapi.org/profiles/ethanresnick/cursor-pagination/"'

/** Returns `(id) => cursor`. `text`: the document of a page that was requested with `CURSOR_PAGES`. */
exports.readCursors = (text) => {
  const [{ meta }] = JSON.parse(text).data
  const [fingerprint] = JSON.parse(Buffer.from(meta.page.cursor, 'base64url').toString())
  return (id) => Buffer.from(JSON.stringify([fingerprint, String(id)])).toString('base64url')
}
