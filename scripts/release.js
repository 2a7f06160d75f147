// Makes a release (docs/internals/releasing.md). Stops at the first condition that is not met, and prints the remedy.
// - `npm run release -- 1.2.3` checks the conditions, sets the version and the date, commits and tags. It sends nothing.
// - `npm run release -- 1.2.3 --dry-run` runs the checks that need no registry, changes nothing, and prints the steps.
// - `npm run release -- 1.2.3 --publish` publishes the tag, in a pipeline that can attest the commit and the run that built the package.
const { execFileSync, spawnSync } = require('node:child_process')
const { readFileSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { parseArgs } = require('node:util')

const root = join(__dirname, '..')
const CHANGELOG = 'CHANGELOG.md'
/** The template of `npx stemma init`, which depends on this version. */
const TEMPLATE = join('templates', 'project', 'package.json')
/** The package behind `npm create stemma`, which runs the command of this version. */
const ALIAS = join('create-stemma', 'package.json')
const VERIFIED = join('build', 'verify', 'result.json')

/** Checks that may need a registry. */
const PACKAGE_CHECKS = [
  {
    command: ['npm', 'audit', '--omit=dev'],
    remedy: 'Update the named packages to fixed versions, or give it access to a registry.',
  },
  { command: ['npm', 'run', '--silent', 'check:package'], remedy: 'The package cannot be installed: fix it.' },
]

const PUBLISH_STEPS = [
  {
    command: ['npm', 'publish', '--provenance', '--access', 'public'],
    remedy: 'Fix the reported error, and run the pipeline of the tag again.',
  },
  {
    command: ['npm', 'publish', './create-stemma', '--provenance', '--access', 'public'],
    remedy: 'The other package is published. Fix the reported error, and run this command in the pipeline of the tag.',
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
    ? [checkPipeline, checkTree, checkTagged, checkAddresses]
    : [checkTree, checkBranch, checkUntagged, checkOrder, checkChangelog, checkAddresses, checkVerified]
  for (const check of checks) check(version)
  const steps = [...PACKAGE_CHECKS, ...(publishes ? PUBLISH_STEPS : tagSteps(version))]
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
    throw new Error('Expected one version of three numbers: npm run release -- 1.2.3')
  // Without `--` npm consumes the option.
  const isDryRun = values['dry-run'] || process.env.npm_config_dry_run === 'true'
  return { version, publishes: values.publish, isDryRun }
}

function checkTree() {
  const changed = git('status', '--porcelain')
  if (changed !== '') throw new Error(`These files are not committed. Commit or stash them:\n${changed}`)
}

function checkBranch() {
  const branch = git('branch', '--show-current')
  if (branch !== 'main')
    throw new Error(`Expected the branch main, found '${branch}'. Merge it, then run: git switch main`)
}

function checkUntagged(version) {
  if (git('tag', '--list', `v${version}`) === '') return
  throw new Error(`The tag v${version} exists. A published version cannot be replaced: choose a later one.`)
}

function checkTagged(version) {
  if (git('tag', '--points-at', 'HEAD').split('\n').includes(`v${version}`)) return
  throw new Error(`This commit is not v${version}. Check out the tag, which npm run release -- ${version} creates.`)
}

function checkOrder(version) {
  const { version: last } = readPackage()
  if (version.localeCompare(last, 'en', { numeric: true }) >= 0) return
  throw new Error(`${version} is below ${last}, the version of package.json. Choose a later one.`)
}

/** Checks the first section, which is the newest. */
function checkChangelog(version) {
  const [, newest = ''] = read(CHANGELOG).split(/^## /m)
  const [title, ...lines] = newest.split('\n')
  if (title !== unreleasedTitle(version))
    throw new Error(
      `${CHANGELOG} begins with '${title}'. Begin it with '## ${unreleasedTitle(version)}': the date is set here.`,
    )
  if (!lines.some((line) => line.startsWith('- ')))
    throw new Error(
      `The section of ${version} in ${CHANGELOG} is empty. List the changes that users notice, breaking changes first.`,
    )
}

/** The package has no documentation, so npm has to show where it is. */
function checkAddresses() {
  const { repository, homepage } = readPackage()
  if (!(repository?.url ?? repository))
    throw new Error(
      'package.json has no repository, which npm requires for provenance. ' +
        'Add it: "repository": { "type": "git", "url": "git+https://…" }',
    )
  if (!homepage)
    throw new Error(
      'package.json has no homepage, so npm shows no link to the documentation. Add the address of the site: "homepage": "https://…"',
    )
}

/** `npm run verify` records which stages have not passed on this commit. */
function checkVerified() {
  const { commit, missing } = readResult()
  if (commit !== git('rev-parse', 'HEAD'))
    throw new Error('This commit is not verified. Run: npm run verify -- --release')
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
    'npm cannot attest the origin of the package here. Publish in a pipeline of GitHub with the permission `id-token: write`, ' +
      'or of GitLab with an id token SIGSTORE_ID_TOKEN for the audience sigstore.',
  )
}

function tagSteps(version) {
  const remedy = 'To undo all changes: git reset --hard'
  const set = ['--no-git-tag-version', '--allow-same-version', '--ignore-scripts']
  return [
    { what: `write today's date to ${version} in ${CHANGELOG}`, run: () => dateChangelog(version) },
    { what: `depend on ^${version} in ${TEMPLATE}`, run: () => updateTemplate(version) },
    { what: `depend on ^${version} in ${ALIAS}`, run: () => updateAlias(version) },
    { command: ['npm', 'version', ...set, version], remedy },
    { command: ['git', 'commit', '--quiet', '--all', '--message', `release: ${version}`], remedy },
    { command: ['git', 'tag', '--annotate', '--message', version, `v${version}`], remedy: 'Create the tag by hand.' },
  ]
}

function dateChangelog(version) {
  const today = new Date().toISOString().slice(0, 10)
  write(CHANGELOG, read(CHANGELOG).replace(unreleasedTitle(version), `${version} (${today})`))
}

function updateTemplate(version) {
  const { name } = readPackage()
  write(TEMPLATE, read(TEMPLATE).replace(new RegExp(`("${name}": )"[^"]*"`), `$1"^${version}"`))
}

function updateAlias(version) {
  const { name, repository, homepage } = readPackage()
  const alias = { ...JSON.parse(read(ALIAS)), version, repository, homepage, dependencies: { [name]: `^${version}` } }
  write(ALIAS, `${JSON.stringify(alias, null, 2)}\n`)
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

function unreleasedTitle(version) {
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
