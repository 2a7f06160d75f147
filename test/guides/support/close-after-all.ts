/** Returns a function that keeps what a test has started until the last test has run: `const keep = closeAfterAll()`, `await keep(startServer(options))`. */
export function closeAfterAll(): <Started extends { close(): Promise<void> }>(
  starting: Promise<Started>,
) => Promise<Started> {
  const running: { close(): Promise<void> }[] = []
  afterAll(async () => {
    for (const each of running) await each.close()
  })
  return async (starting) => {
    const started = await starting
    running.push(started)
    return started
  }
}
