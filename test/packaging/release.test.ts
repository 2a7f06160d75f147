import { execFile, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { publishConfig, scripts } from '../../package.json'

// Runs `npm run release` in a temporary repository with the real npm and git, and a fake registry.

// A run starts npm several times, which takes seconds on a busy machine.
jest.setTimeout(120_000)
const SCRIPT = join(__dirname, '..', '..', 'scripts', 'release.js')

const PACKAGE = {
  name: 'stemma',
  version: '0.1.0',
  repository: { type: 'git', url: 'git+https://code.example/stemma.git' },
  homepage: 'https://docs.example',
  scripts: { 'check:package': 'node check.js' },
  dependencies: { leaf: '^1.0.0' },
}
const { name, version, dependencies } = PACKAGE
const LOCKED = { '': { name, version, dependencies }, 'node_modules/leaf': { version: '1.0.0' } }
const LOCK = { name, version, lockfileVersion: 3, packages: LOCKED }
const CHANGELOG = '# Changelog\n\n## 0.2.0 (unreleased)\n\n- A thing.\n\n## 0.1.0 (2026-01-02)\n\n- Another.\n'
const GITHUB = { GITHUB_ACTIONS: 'true', ACTIONS_ID_TOKEN_REQUEST_URL: 'https://token.example' }
const GITLAB = { GITLAB_CI: 'true', SIGSTORE_ID_TOKEN: 'token' }

let folder: string
let repository: string
/** The advisories of the registry about `leaf`. */
let advisories: readonly object[]

const registry = createServer((request, response) => {
  request.resume()
  response.setHeader('content-type', 'application/json')
  const versions = { '1.0.0': { name: 'leaf', version: '1.0.0' } }
  const known = { name: 'leaf', 'dist-tags': { latest: '1.0.0' }, versions }
  response.end(JSON.stringify(request.method === 'POST' ? { leaf: advisories } : known))
})
beforeAll(() => once(registry.listen(0, '127.0.0.1'), 'listening'))
afterAll(() => registry.close())

beforeEach(() => {
  advisories = []
  folder = mkdtempSync(join(tmpdir(), 'stemma-release-'))
  repository = join(folder, 'repository')
  writeFileSync(join(folder, 'gitconfig'), '[user]\nname = Ann\nemail = ann@example.org\n')
  keep('scripts/release.js', readFileSync(SCRIPT, 'utf8'))
  keep('package.json', PACKAGE)
  keep('package-lock.json', LOCK)
  keep('templates/project/package.json', { version: '0.1.0', dependencies: { express: '^5.0.0', stemma: '^0.1.0' } })
  keep('create-stemma/package.json', { name: 'create-stemma', version: '0.1.0', dependencies: { stemma: '^0.1.0' } })
  keep('CHANGELOG.md', CHANGELOG)
  keep('check.js', "console.log('The package is fine.')\n")
  keep('.gitignore', 'build/\n')
  git('init', '--quiet', '--initial-branch', 'main')
  commit()
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function keep(path: string, content: string | object): void {
  const text = typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`
  mkdirSync(dirname(join(repository, path)), { recursive: true })
  writeFileSync(join(repository, path), text)
}

const read = (path: string) => readFileSync(join(repository, path), 'utf8')
const git = (...parameters: readonly string[]) =>
  execFileSync('git', parameters, { cwd: repository, env: environment(), encoding: 'utf8' }).trim()

function commit(): void {
  git('add', '--all')
  git('commit', '--quiet', '--message', 'all')
  keepVerified([])
}

/** Writes the result file of `npm run verify`. */
function keepVerified(missing: readonly string[]): void {
  keep('build/verify/result.json', { commit: git('rev-parse', 'HEAD'), missing })
}

/** Leaves out the configuration of the user and of the pipeline that runs the tests. */
function environment(added: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const foreign = /^npm_|^GIT|^ACTIONS_|^SIGSTORE_/i
  const { port } = registry.address() as AddressInfo
  return {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name))),
    GIT_CONFIG_GLOBAL: join(folder, 'gitconfig'),
    GIT_CONFIG_SYSTEM: '/dev/null',
    npm_config_registry: `http://127.0.0.1:${port}/`,
    npm_config_cache: join(folder, 'cache'),
    npm_config_fetch_retries: '0',
    npm_config_update_notifier: 'false',
    ...added,
  }
}

/** Runs asynchronously, because the registry is in this process. */
function release(parameters: string, added?: NodeJS.ProcessEnv): Promise<{ status: number; text: string }> {
  const script = [join('scripts', 'release.js'), ...parameters.split(' ')]
  const options = { cwd: repository, env: environment(added) }
  return new Promise((resolve) => {
    const running = execFile(process.execPath, script, options, (_error, stdout, stderr) =>
      resolve({ status: running.exitCode ?? -1, text: stdout + stderr }),
    )
  })
}

/** Returns the error of a release, and expects that it has changed nothing. */
async function refusal(parameters = '0.2.0', added?: NodeJS.ProcessEnv): Promise<string> {
  const before = state()
  const { status, text } = await release(parameters, added)
  expect(status).toBe(1)
  expect(state()).toEqual(before)
  return text
}

const state = () => [git('log', '--oneline', '--decorate'), git('status', '--porcelain')]
const today = () => new Date().toISOString().slice(0, 10)

describe('a release', () => {
  it('sets version and date, commits and tags', async () => {
    const days = [today()]
    expect(await release('0.2.0')).toMatchObject({ status: 0, text: expect.stringContaining('git push --follow-tags') })
    // It may have been midnight meanwhile.
    days.push(today())
    expect(days.map((day) => CHANGELOG.replace('unreleased', day))).toContain(read('CHANGELOG.md'))
    expect(JSON.parse(read('package.json'))).toEqual({ ...PACKAGE, version: '0.2.0' })
    expect(JSON.parse(read('package-lock.json')).packages['']).toMatchObject({ version: '0.2.0' })
    expect(JSON.parse(read('templates/project/package.json'))).toEqual({
      version: '0.1.0',
      dependencies: { express: '^5.0.0', stemma: '^0.2.0' },
    })
    const { repository, homepage } = PACKAGE
    const alias = { name: 'create-stemma', version: '0.2.0', dependencies: { stemma: '^0.2.0' }, repository, homepage }
    expect(JSON.parse(read('create-stemma/package.json'))).toEqual(alias)
    expect(git('status', '--porcelain')).toBe('')
    expect(git('log', '--format=%s')).toBe('release: 0.2.0\nall')
    expect(git('describe')).toBe('v0.2.0')
  })

  it('can have the version of package.json', async () => {
    keep('CHANGELOG.md', '# Changelog\n\n## 0.1.0 (unreleased)\n\n- All of it.\n')
    commit()
    expect(await release('0.1.0')).toMatchObject({ status: 0 })
    expect(git('describe')).toBe('v0.1.0')
  })

  it('prints its steps with --dry-run, without a registry, and changes nothing', async () => {
    const before = state()
    const { status, text } = await release('0.2.0 --dry-run', { npm_config_registry: 'http://127.0.0.1:1/' })
    expect(text.trimEnd().split('\n')).toEqual([
      'Would run: npm audit --omit=dev',
      'Would run: npm run --silent check:package',
      "Would run: write today's date to 0.2.0 in CHANGELOG.md",
      'Would run: depend on ^0.2.0 in templates/project/package.json',
      'Would run: depend on ^0.2.0 in create-stemma/package.json',
      'Would run: npm version --no-git-tag-version --allow-same-version --ignore-scripts 0.2.0',
      'Would run: git commit --quiet --all --message release: 0.2.0',
      'Would run: git tag --annotate --message 0.2.0 v0.2.0',
      'Nothing was changed.',
    ])
    expect(status).toBe(0)
    expect(state()).toEqual(before)
  })

  it('is a dry run when npm has consumed the option --dry-run', async () => {
    const { text } = await release('0.2.0', { npm_config_dry_run: 'true' })
    expect(text).toContain('Nothing was changed.')
  })
})

describe('a release is rejected', () => {
  it.each(['next', '0.2', '0.2.0-beta.1', 'v0.2.0', '0.2.0 0.3.0'])('for the version %s', async (version) => {
    expect(await refusal(version)).toContain('npm run release -- 1.2.3')
  })

  it('with an unknown option', async () => expect(await refusal('0.2.0 --force')).toContain("'--force'"))

  it('for a version other than the first of the changelog', async () => {
    expect(await refusal('0.3.0')).toContain("begins with '0.2.0 (unreleased)'. Begin it with '## 0.3.0 (unreleased)'")
  })

  it('with uncommitted files, also with --dry-run', async () => {
    keep('new.txt', 'new')
    for (const dry of ['', ' --dry-run']) expect(await refusal(`0.2.0${dry}`)).toMatch(/not committed.*\n.*new\.txt/)
  })

  const keepAnd = (path: string, content: string | object) => () => {
    keep(path, content)
    commit()
  }
  const later = { ...PACKAGE, version: '0.10.0' }
  const { repository: _unknown, ...unplaced } = PACKAGE
  const { homepage: _missing, ...undocumented } = PACKAGE
  const [past, empty] = [CHANGELOG.replace('unreleased', '2026-02-03'), CHANGELOG.replace('- A thing.\n', '')]
  const UNVERIFIED = 'have not passed on this commit. Run: npm run verify -- faults soaks'
  const BROKEN = 'Failed: npm run --silent check:package'
  it.each<[when: string, prepare: () => void, text: string]>([
    ['on another branch than main', () => git('switch', '-qc', 'other'), "Expected the branch main, found 'other'"],
    ['for a released version', () => git('tag', 'v0.2.0'), 'The tag v0.2.0 exists'],
    ['when a stage of npm run verify has not passed', () => keepVerified(['faults', 'soaks']), UNVERIFIED],
    ['for a version below the last one', keepAnd('package.json', later), '0.2.0 is below 0.10.0'],
    ['when its section of the changelog has a date', keepAnd('CHANGELOG.md', past), "begins with '0.2.0 (2026-02-03)'"],
    ['when its section of the changelog is empty', keepAnd('CHANGELOG.md', empty), '0.2.0 in CHANGELOG.md is empty'],
    ['when package.json has no repository', keepAnd('package.json', unplaced), 'package.json has no repository'],
    ['when package.json has no homepage', keepAnd('package.json', undocumented), 'package.json has no homepage'],
    ['when the package cannot be installed', keepAnd('check.js', 'process.exit(1)\n'), BROKEN],
  ])('%s', async (_when, prepare, text) => {
    prepare()
    expect(await refusal()).toContain(text)
  })

  it('for a commit without npm run verify', async () => {
    git('commit', '--quiet', '--allow-empty', '--message', 'another')
    expect(await refusal()).toContain('This commit is not verified. Run: npm run verify')
    rmSync(join(repository, 'build'), { recursive: true })
    expect(await refusal('0.2.0 --dry-run')).toContain('This commit is not verified. Run: npm run verify')
  })

  it('with a vulnerability in a dependency', async () => {
    const hole = { id: 1, url: 'https://holes.example/1', title: 'A hole', severity: 'high', vulnerable_versions: '<2' }
    advisories = [hole]
    const text = await refusal()
    expect(text).toContain('https://holes.example/1')
    expect(text).toContain('Failed: npm audit --omit=dev')
  })

  it('when no registry can report vulnerabilities', async () => {
    const text = await refusal('0.2.0', { npm_config_registry: 'http://127.0.0.1:1/' })
    expect(text).toContain('Failed: npm audit --omit=dev')
  })
})

describe('a tag', () => {
  /** The environment of a pipeline in which `npm` only records its arguments. */
  let pipeline: NodeJS.ProcessEnv
  const npmCalls = () => readFileSync(join(folder, 'npm-calls'), 'utf8').trimEnd().split('\n')

  beforeEach(() => {
    git('tag', 'v0.2.0')
    const commands = join(folder, 'commands')
    mkdirSync(commands)
    writeFileSync(join(commands, 'npm'), `#!/bin/sh\necho "$@" >> '${join(folder, 'npm-calls')}'\n`, { mode: 0o755 })
    pipeline = { PATH: [commands, process.env.PATH].join(delimiter) }
  })

  it.each([
    ['GitHub', GITHUB],
    ['GitLab', GITLAB],
  ])('is published with provenance in a pipeline of %s', async (_name, tokens) => {
    git('checkout', '--quiet', '--detach')
    expect(await release('0.2.0 --publish', { ...pipeline, ...tokens })).toMatchObject({ status: 0 })
    expect(npmCalls()).toEqual([
      'audit --omit=dev',
      'run --silent check:package',
      'publish --provenance --access public',
      'publish ./create-stemma --provenance --access public',
    ])
  })

  it.each([
    ['outside of a pipeline', {}],
    ['in a pipeline of GitHub without a token', { GITHUB_ACTIONS: 'true' }],
    ['in a pipeline of GitLab without a token', { GITLAB_CI: 'true' }],
  ])('is not published %s', async (_name, tokens) => {
    expect(await refusal('0.2.0 --publish', tokens)).toContain('npm cannot attest')
  })

  it.each<[when: string, prepare: () => void, text: string]>([
    ['from a later commit', commit, 'This commit is not v0.2.0'],
    ['with uncommitted files', () => undefined, 'not committed'],
  ])('is not published %s', async (_when, prepare, text) => {
    keep('new.txt', 'new')
    prepare()
    expect(await refusal('0.2.0 --publish', GITHUB)).toContain(text)
  })
})

it('publishConfig of package.json requires provenance', () => {
  expect(publishConfig).toEqual({ access: 'public', provenance: true })
  expect(scripts.release).toBe('node scripts/release.js')
})
