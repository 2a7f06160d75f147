import { packages } from '../../package-lock.json'

interface LockedPackage {
  readonly version?: string
  readonly resolved?: string
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

describe('package-lock.json', () => {
  const locked = Object.entries(packages as Readonly<Record<string, LockedPackage>>)

  it('names no download addresses', () => {
    expect(locked.length).toBeGreaterThan(100)
    expect(locked.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([])
  })

  // npm leaves out the builds for other platforms that it could not look up when it wrote the file, and then `npm ci` refuses it.
  it('locks the builds for every platform', () => {
    const missing = locked.flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter(
        (name) => !(`${path}/node_modules/${name}` in packages) && !(`node_modules/${name}` in packages),
      ),
    )
    expect(missing).toEqual([])
  })
})
