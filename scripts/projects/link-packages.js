const { existsSync, mkdirSync, readFileSync, symlinkSync } = require('node:fs')
const { dirname, join } = require('node:path')

/**
 * Gives a project the packages that its package.json names, as links to packages that are installed in another folder. A project that imports a
 * package without naming it fails.
 */
exports.linkPackages = (project, installed) => {
  for (const name of namesOf(readJson(join(project, 'package.json')))) {
    const source = join(installed, 'node_modules', name)
    if (!existsSync(source)) throw new Error(`${name} is not installed. Is it in templates?`)
    link(source, join(project, 'node_modules', name))
    const { bin = {} } = readJson(join(source, 'package.json'))
    const programs = typeof bin === 'string' ? { [name]: bin } : bin
    for (const [program, file] of Object.entries(programs))
      link(join(source, file), join(project, 'node_modules', '.bin', program))
  }
}

function namesOf({ dependencies, devDependencies }) {
  return Object.keys({ ...dependencies, ...devDependencies })
}

function link(source, target) {
  mkdirSync(dirname(target), { recursive: true })
  symlinkSync(source, target)
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'))
}
