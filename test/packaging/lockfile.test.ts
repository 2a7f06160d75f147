import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packages as own } from '../../package-lock.json'

const ROOT = join(__dirname, '../..')
const { PACKAGES } = require('../../scripts/checks/steps') as { readonly PACKAGES: readonly string[] }

interface LockedPackage {
  readonly version?: string
  readonly resolved?: string
  readonly integrity?: string
  readonly hasInstallScript?: boolean
  readonly optional?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  /** It is a folder of this repository. */
  readonly link?: boolean
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

type LockedPackages = Readonly<Record<string, LockedPackage>>

describe.each(['.', ...PACKAGES])('%s/package-lock.json', (folder) => {
  const { packages }: { packages: LockedPackages } = require(join(ROOT, folder, 'package-lock.json'))
  const locked = Object.entries(packages)

  it('names no download addresses', () => {
    const downloaded = locked.filter(([, { link }]) => link !== true)
    // test/browser has two packages.
    expect(downloaded.length).toBeGreaterThan(2)
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

/** Figures and words of docs/internals/trust.md. */
describe('what comes with the library', () => {
  const packages: LockedPackages = own
  const { dependencies = {} } = packages[''] ?? {}
  const reasons = readFileSync(join(ROOT, 'docs/internals/decisions/001-dependencies-and-packaging.md'), 'utf8')

  it('is four packages, each with a reason', () => {
    expect(Object.keys(dependencies)).toHaveLength(4)
    for (const name of Object.keys(dependencies)) expect(reasons).toContain(`| \`${name}\``)
  })

  it.each(Object.entries(dependencies))("'%s' is a range that leaves room for mends", (_name, range) => {
    expect(range).toMatch(/^\^\d+\.\d+\.\d+$/)
  })

  it.each(Object.keys(dependencies))("'%s' brings no packages, and runs nothing when it is installed", (name) => {
    const locked = packages[`node_modules/${name}`]
    expect(locked).toBeDefined()
    expect(locked?.dependencies).toBeUndefined()
    expect(locked?.hasInstallScript).toBeUndefined()
  })

  it('is locked with its hash, as all that is installed on every platform', () => {
    const everywhere = Object.entries(packages).filter(([path, { optional }]) => path !== '' && optional !== true)
    expect(everywhere.length).toBeGreaterThan(100)
    expect(everywhere.filter(([, { integrity }]) => integrity === undefined).map(([path]) => path)).toEqual([])
  })
})
