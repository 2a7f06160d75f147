const { execFileSync } = require('node:child_process')
const { cpSync, existsSync, mkdirSync, rmSync, symlinkSync } = require('node:fs')
const { dirname, join } = require('node:path')

/** Copies the working tree without ignored files, and links to its packages. */
exports.copyTree = (root, tree) => {
  rmSync(tree, { recursive: true, force: true })
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root })
  for (const path of listed.toString().split('\0')) {
    if (path === '' || path === 'node_modules' || !existsSync(join(root, path))) continue
    mkdirSync(dirname(join(tree, path)), { recursive: true })
    cpSync(join(root, path), join(tree, path))
  }
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'), 'dir')
}
