import { readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Locked {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly hasInstallScript?: boolean
  readonly integrity?: string
  readonly optional?: boolean
}

interface Lock {
  readonly packages: Readonly<Record<string, Locked>>
}

/** Figures and words of docs/internals/trust.md. */
describe('what comes with the library', () => {
  const root = join(__dirname, '../..')
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock
  const { dependencies = {} } = packages[''] ?? {}
  const reasons = readFileSync(join(root, 'docs/internals/decisions/001-dependencies.md'), 'utf8')

  it('is three packages, each with a reason', () => {
    expect(Object.keys(dependencies)).toHaveLength(3)
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
