import Module from 'node:module'
import { runInNewContext } from 'node:vm'

/** Runs an action as if a package were not installed. The error is of another realm, as that of Jest is. */
export async function withoutPackage(missing: string, run: () => unknown): Promise<void> {
  const loader = Module as unknown as { _load(name: string, ...rest: unknown[]): unknown }
  const load = loader._load
  loader._load = (name, ...rest) => {
    if (name !== missing) return load(name, ...rest)
    throw Object.assign(runInNewContext(`new Error("Cannot find module '${name}'")`), { code: 'MODULE_NOT_FOUND' })
  }
  try {
    await run()
  } finally {
    loader._load = load
  }
}
