// What a CPU profile of V8 says, summed up: shares of all that is no idling, the largest first. Samples are counted, not the time between
// them: while another process has the processor, that goes on.

exports.summarize = ({ nodes, samples }) => {
  const times = new Map()
  for (const id of samples) add(times, id, 1)
  const sums = { packages: new Map(), modules: new Map(), attributed: new Map(), inclusive: new Map(), self: new Map() }
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const walk = (id, path) => {
    const node = byId.get(id)
    if (node.callFrame.functionName === '(idle)') return
    const deeper = [...path, node.callFrame]
    const time = times.get(id) ?? 0
    if (time > 0) addPath(sums, deeper, time)
    for (const child of node.children ?? []) walk(child, deeper)
  }
  walk(nodes[0].id, [])
  const total = [...sums.packages.values()].reduce((sum, time) => sum + time, 0)
  return Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, toShares(sum, total)]))
}

function addPath({ packages, modules, attributed, inclusive, self }, path, time) {
  const last = path.at(-1)
  const own = path.filter(isOwn)
  add(packages, packageOf(last), time)
  add(self, nameOf(last), time)
  add(modules, own.length === 0 ? `outside: ${placeOf(path)}` : packageOf(own.at(-1)), time)
  add(attributed, own.length === 0 ? `outside: ${placeOf(path)}` : nameOf(own.at(-1)), time)
  for (const name of new Set(own.map(nameOf))) add(inclusive, name, time)
}

/** Node.js calls everything: the first that is not its own says what it is for. */
function placeOf(path) {
  const names = path.slice(1).map(packageOf)
  return names.find((name) => name !== 'Node.js' && name !== 'native code') ?? names[0] ?? 'V8'
}

function add(sums, key, time) {
  sums.set(key, (sums.get(key) ?? 0) + time)
}

function toShares(sums, total) {
  return [...sums].map(([name, time]) => [name, time / total]).sort(([, left], [, right]) => right - left)
}

function isOwn({ url }) {
  return url.includes('/dist/') && !url.includes('/node_modules/')
}

function packageOf({ url, functionName }) {
  if (functionName === '(garbage collector)') return 'garbage collector'
  if (url === '') return 'native code'
  if (url.startsWith('node:')) return 'Node.js'
  const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? []
  return name ?? (isOwn({ url }) ? `library: ${/\/dist\/(.*)\//.exec(url)?.[1] ?? ''}` : 'bench')
}

function nameOf({ url, functionName, lineNumber }) {
  const file = url.replace(/.*\/(?=dist\/)/, '').replace(/.*\/node_modules\//, '')
  return `${functionName || '(anonymous)'} ${file === '' ? '' : `${file}:${lineNumber + 1}`}`
}
