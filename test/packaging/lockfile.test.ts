import { packages as servers } from '../../bench/package-lock.json'
import { packages as mutation } from '../../mutation/package-lock.json'
import { packages as own } from '../../package-lock.json'
import { packages as site } from '../../site/package-lock.json'
import { packages as tools } from '../../tools/package-lock.json'
import { packages as clients } from '../interop/package-lock.json'

interface LockedPackage {
  readonly version?: string
  readonly resolved?: string
  /** It is a folder of this repository. */
  readonly link?: boolean
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

type LockedPackages = Readonly<Record<string, LockedPackage>>

describe.each([
  ['package-lock.json', own as LockedPackages],
  ['test/interop/package-lock.json', clients as LockedPackages],
  ['bench/package-lock.json', servers as LockedPackages],
  ['tools/package-lock.json', tools as LockedPackages],
  ['site/package-lock.json', site as LockedPackages],
  ['mutation/package-lock.json', mutation as LockedPackages],
])('%s', (_name, packages) => {
  const locked = Object.entries(packages)

  it('names no download addresses', () => {
    const downloaded = locked.filter(([, { link }]) => link !== true)
    expect(downloaded.length).toBeGreaterThan(50)
    expect(downloaded.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([])
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
