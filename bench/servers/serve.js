/** Every server gets its place from measure/start-server.js, and says when it can be asked. */
exports.PLACE = process.env.BENCH_PLACE
exports.PORT = Number(process.env.BENCH_PORT ?? 0)
exports.TYPE = 'application/vnd.api+json'

exports.listen = (server) => {
  server.listen(exports.PORT, '127.0.0.1', () => process.send?.('ready'))
}
