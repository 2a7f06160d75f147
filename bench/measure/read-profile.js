// Summarizes a CPU profile of V8 as shares of the samples outside of idle time, largest first. It counts samples instead of the time between
// them, which grows while other processes run.

const { basename, dirname } = require('node:path')
const { fileURLToPath } = require('node:url')
const { sourceFileAt } = require('../../scripts/bundled-files')

exports.summarize = ({ nodes, samples }) => {
  const counts = new Map()
  for (const id of samples) add(counts, id, 1)
  const sums = { packages: new Map(), modules: new Map(), attributed: new Map(), inclusive: new Map(), self: new Map() }
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const visit = (id, path) => {
    const node = byId.get(id)
    if (node.callFrame.functionName === '(idle)') return
    const childPath = [...path, node.callFrame]
    const count = counts.get(id) ?? 0
    if (count > 0) addPath(sums, childPath, count)
    for (const child of node.children ?? []) visit(child, childPath)
  }
  visit(nodes[0].id, [])
  const total = [...sums.packages.values()].reduce((sum, count) => sum + count, 0)
  return Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, toShares(sum, total)]))
}

function addPath({ packages, modules, attributed, inclusive, self }, path, count) {
  const last = path.at(-1)
  const ownFrames = path.filter(isOwn)
  add(packages, packageOf(last), count)
  add(self, nameOf(last), count)
  add(modules, ownFrames.length === 0 ? `outside: ${callerOf(path)}` : packageOf(ownFrames.at(-1)), count)
  add(attributed, ownFrames.length === 0 ? `outside: ${callerOf(path)}` : nameOf(ownFrames.at(-1)), count)
  for (const name of new Set(ownFrames.map(nameOf))) add(inclusive, name, count)
}

/** Returns the first package of the path other than Node.js, which calls all others. */
function callerOf(path) {
  const names = path.slice(1).map(packageOf)
  return names.find((name) => name !== 'Node.js' && name !== 'native code') ?? names[0] ?? 'V8'
}

function add(sums, key, count) {
  sums.set(key, (sums.get(key) ?? 0) + count)
}

function toShares(sums, total) {
  return [...sums].map(([name, count]) => [name, count / total]).sort(([, left], [, right]) => right - left)
}

function isOwn({ url }) {
  return url.includes('/dist/') && !url.includes('/node_modules/')
}

function packageOf({ url, functionName, lineNumber }) {
  if (functionName === '(garbage collector)') return 'garbage collector'
  if (url === '') return 'native code'
  if (url.startsWith('node:')) return 'Node.js'
  const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? []
  return name ?? (isOwn({ url }) ? `library: ${dirname(sourceOf({ url, lineNumber }))}` : 'bench')
}

function sourceOf({ url, lineNumber }) {
  return sourceFileAt(url.startsWith('file:') ? fileURLToPath(url) : url, lineNumber) ?? basename(url)
}

function nameOf({ url, functionName, lineNumber }) {
  if (isOwn({ url })) return `${functionName || '(anonymous)'} ${sourceOf({ url, lineNumber })}`
  const file = url.replace(/.*\/node_modules\//, '')
  return `${functionName || '(anonymous)'} ${file === '' ? '' : `${file}:${lineNumber + 1}`}`
}
