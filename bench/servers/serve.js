// measure/start-server.js sets the database and the port of each server, and waits for its message that it is ready.

/** Path of the SQLite file, or URL of the PostgreSQL database. */
exports.DATABASE = process.env.BENCH_DATABASE_URL
exports.PORT = Number(process.env.BENCH_PORT ?? 0)
exports.MEDIA_TYPE = 'application/vnd.api+json'

exports.listen = (server) => {
  const listening = server.listen(exports.PORT, '127.0.0.1', () => process.send?.('ready'))
  // On a busy machine the client pauses for longer than the five seconds of Node.js.
  listening.keepAliveTimeout = 0
}
