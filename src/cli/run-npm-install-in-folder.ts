import { spawnSync } from 'node:child_process'

/** Runs `npm install` in a folder. Its output goes to the terminal. Returns false if npm is missing or fails. */
export function runNpmInstallInFolder(folder: string): boolean {
  const isWindows = process.platform === 'win32'
  return spawnSync('npm', ['install'], { cwd: folder, stdio: 'inherit', shell: isWindows }).status === 0
}
