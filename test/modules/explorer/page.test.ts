import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

// The files that browsers get as they are written. What they do is for test/browser.

const FOLDER = join(__dirname, '..', '..', '..', 'src', 'explorer', 'page')
const modules = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.mjs'))
  .map((name) => ({ name, text: readFileSync(join(FOLDER, name), 'utf8') }))

it('has modules, of at most 300 lines each', () => {
  expect(modules.length).toBeGreaterThan(10)
  expect(modules.filter(({ text }) => text.split('\n').length > 300).map(({ name }) => name)).toEqual([])
})

it('imports nothing but its own modules', () => {
  const imports = modules.flatMap(({ name, text }) =>
    [...text.matchAll(/^import\b[^']*'([^']+)'/gm)].map(([, path = '']) => ({ name, path })),
  )
  expect(imports.length).toBeGreaterThan(modules.length)
  expect(imports.filter(({ path }) => !/^\.\/[\w-]+\.mjs$/.test(path) || !existsSync(join(FOLDER, path)))).toEqual([])
})

it('makes HTML of no text, and runs none', () => {
  const ways = /innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|srcdoc|\beval\b|new Function|setHTML/
  expect(modules.filter(({ text }) => ways.test(text)).map(({ name }) => name)).toEqual([])
})
