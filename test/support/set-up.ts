/**
 * Starts something before all tests of the file or `describe`, and closes it after them: `const api = setUp(() => startApi(RESOURCES))`.
 * Its members can be used as soon as tests run.
 */
export function setUp<Started extends { close(): Promise<void> | void }>(
  start: () => Promise<Started> | Started,
): Started {
  let started: Started
  beforeAll(async () => {
    started = await start()
  })
  afterAll(() => started.close())
  return new Proxy({} as Started, {
    get: (_target, name) => Reflect.get(started, name),
    has: (_target, name) => Reflect.has(started, name),
    ownKeys: () => Reflect.ownKeys(started),
    getOwnPropertyDescriptor: (_target, name) => {
      const descriptor = Reflect.getOwnPropertyDescriptor(started, name)
      return descriptor && { ...descriptor, configurable: true }
    },
  })
}
