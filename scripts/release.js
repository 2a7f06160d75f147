// Makes a release: docs/internals/releasing.md says when. It stops at the first thing that does not hold, and says what to do.
// - `npm run release -- 1.2.3` looks at what has to hold, sets the version and the date, commits and tags. Nothing leaves the machine.
// - `npm run release -- 1.2.3 --dry-run` looks at what can be seen without a registry, changes nothing, and says what would be done.
// - `npm run release -- 1.2.3 --publish` publishes the tag, in a pipeline that can attest which commit and which run have made the package.
const { execFileSync, spawnSync } = require('node:child_process')
const { readFileSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { parseArgs } = require('node:util')

const root = join(__dirname, '..')
const CHANGELOG = 'CHANGELOG.md'
/** What `npx stemma init` writes asks for this version, too. */
const TEMPLATE = join('templates', 'project', 'package.json')
const VERIFIED = join('build', 'verify', 'result.json')

/** Checks that may need a registry. */
const LOOKING = [
  {
    command: ['npm', 'audit', '--omit=dev'],
    remedy: 'Raise what it names to the version that mends it, or let it reach a registry.',
  },
  { command: ['npm', 'run', '--silent', 'check:package'], remedy: 'The package is not fit to be installed: mend it.' },
]

const PUBLISHING = [
  {
    command: ['npm', 'publish', '--provenance', '--access', 'public'],
    remedy: 'Mend what it says, and run the pipeline of the tag again.',
  },
]

try {
  release(readArguments())
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}

function release({ version, publishes, isDryRun }) {
  const checks = publishes
    ? [checkPipeline, checkTree, checkTagged, checkRepository]
    : [checkTree, checkBranch, checkUntagged, checkOrder, checkChangelog, checkRepository, checkVerified]
  for (const check of checks) check(version)
  const steps = [...LOOKING, ...(publishes ? PUBLISHING : taggingOf(version))]
  for (const step of steps) {
    if (isDryRun) console.log(`Would run: ${nameOf(step)}`)
    else perform(step)
  }
  if (isDryRun) return console.log('Nothing was changed.')
  if (!publishes) console.log(`v${version} is tagged. Its pipeline publishes: git push --follow-tags`)
}

function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'dry-run': { type: 'boolean', default: false }, publish: { type: 'boolean', default: false } },
  })
  const [version = '', ...others] = positionals
  if (!/^\d+\.\d+\.\d+$/.test(version) || others.length > 0)
    throw new Error('Which version? Say it in three numbers: npm run release -- 1.2.3')
  // Without `--` npm consumes the option.
  const isDryRun = values['dry-run'] || process.env.npm_config_dry_run === 'true'
  return { version, publishes: values.publish, isDryRun }
}

function checkTree() {
  const changed = git('status', '--porcelain')
  if (changed !== '') throw new Error(`There is what is not committed. Commit it, or put it away:\n${changed}`)
}

function checkBranch() {
  const branch = git('branch', '--show-current')
  if (branch !== 'main') throw new Error(`This is not main, but '${branch}'. Merge it first, then: git switch main`)
}

function checkUntagged(version) {
  if (git('tag', '--list', `v${version}`) === '') return
  throw new Error(`The tag v${version} is there. What is published keeps its number: take the next one.`)
}

function checkTagged(version) {
  if (git('tag', '--points-at', 'HEAD').split('\n').includes(`v${version}`)) return
  throw new Error(`This commit is not v${version}. Check out the tag; npm run release -- ${version} makes it.`)
}

function checkOrder(version) {
  const { version: last } = readPackage()
  if (version.localeCompare(last, 'en', { numeric: true }) >= 0) return
  throw new Error(`${version} is below ${last}, which package.json has. Take a later one.`)
}

/** The newest section comes first. */
function checkChangelog(version) {
  const [, newest = ''] = read(CHANGELOG).split(/^## /m)
  const [title, ...lines] = newest.split('\n')
  if (title !== unreleased(version))
    throw new Error(
      `${CHANGELOG} begins with '${title}'. Begin it with '## ${unreleased(version)}': the date is set here.`,
    )
  if (!lines.some((line) => line.startsWith('- ')))
    throw new Error(`${CHANGELOG} says nothing of ${version}. Write down what users notice, breaking changes first.`)
}

function checkRepository() {
  const { repository } = readPackage()
  if (repository?.url ?? repository) return
  throw new Error(
    'package.json does not say where the repository is, and npm takes no provenance without. ' +
      'Write it there: "repository": { "type": "git", "url": "git+https://…" }',
  )
}

/** `npm run verify` records which stages have not passed on this commit. */
function checkVerified() {
  const { commit, missing } = readResult()
  if (commit !== git('rev-parse', 'HEAD')) throw new Error('This commit is not verified. Run: npm run verify')
  if (missing.length > 0)
    throw new Error(`These checks have not passed on this commit. Run: npm run verify -- ${missing.join(' ')}`)
}

function readResult() {
  try {
    return JSON.parse(read(VERIFIED))
  } catch {
    return {}
  }
}

/** npm cannot attest other pipelines. */
function checkPipeline() {
  const { GITHUB_ACTIONS, ACTIONS_ID_TOKEN_REQUEST_URL, GITLAB_CI, SIGSTORE_ID_TOKEN } = process.env
  if ((GITHUB_ACTIONS && ACTIONS_ID_TOKEN_REQUEST_URL) || (GITLAB_CI && SIGSTORE_ID_TOKEN)) return
  throw new Error(
    'Nothing here can attest where the package comes from. Publish in a pipeline: of GitHub, with the permission `id-token: write`, ' +
      'or of GitLab, with an id token SIGSTORE_ID_TOKEN for the audience sigstore.',
  )
}

function taggingOf(version) {
  const remedy = 'To begin anew: git reset --hard'
  const set = ['--no-git-tag-version', '--allow-same-version', '--ignore-scripts']
  return [
    { what: `put today's date behind ${version} in ${CHANGELOG}`, run: () => date(version) },
    { what: `ask for ^${version} in ${TEMPLATE}`, run: () => askFor(version) },
    { command: ['npm', 'version', ...set, version], remedy },
    { command: ['git', 'commit', '--quiet', '--all', '--message', `release: ${version}`], remedy },
    { command: ['git', 'tag', '--annotate', '--message', version, `v${version}`], remedy: 'Make it by hand.' },
  ]
}

function date(version) {
  const today = new Date().toISOString().slice(0, 10)
  write(CHANGELOG, read(CHANGELOG).replace(unreleased(version), `${version} (${today})`))
}

function askFor(version) {
  const { name } = readPackage()
  write(TEMPLATE, read(TEMPLATE).replace(new RegExp(`("${name}": )"[^"]*"`), `$1"^${version}"`))
}

function perform({ command, remedy, run }) {
  if (run !== undefined) return run()
  const [program, ...parameters] = command
  const { status } = spawnSync(program, parameters, { cwd: root, stdio: 'inherit' })
  if (status !== 0) throw new Error(`Failed: ${command.join(' ')}. ${remedy}`)
}

function nameOf({ command, what }) {
  return what ?? command.join(' ')
}

function unreleased(version) {
  return `${version} (unreleased)`
}

function git(...parameters) {
  return execFileSync('git', parameters, { cwd: root, encoding: 'utf8' }).trim()
}

function readPackage() {
  return JSON.parse(read('package.json'))
}

function read(path) {
  return readFileSync(join(root, path), 'utf8')
}

function write(path, text) {
  writeFileSync(join(root, path), text)
}
