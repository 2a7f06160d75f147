import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = join(__dirname, '..', '..', '..', 'src', 'explorer', 'page')
const modules = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.mjs'))
  .map((name) => ({ name, text: readFileSync(join(FOLDER, name), 'utf8') }))

it('has modules of at most 300 lines', () => {
  expect(modules.length).toBeGreaterThan(10)
  expect(modules.filter(({ text }) => text.split('\n').length > 300).map(({ name }) => name)).toEqual([])
})

it('imports only its own modules', () => {
  const imports = modules.flatMap(({ name, text }) =>
    [...text.matchAll(/^import\b[^']*'([^']+)'/gm)].map(([, path = '']) => ({ name, path })),
  )
  expect(imports.length).toBeGreaterThan(modules.length)
  expect(imports.filter(({ path }) => !/^\.\/[\w-]+\.mjs$/.test(path) || !existsSync(join(FOLDER, path)))).toEqual([])
})

it('neither parses HTML nor evaluates code', () => {
  const ways = /innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|srcdoc|\beval\b|new Function|setHTML/
  expect(modules.filter(({ text }) => ways.test(text)).map(({ name }) => name)).toEqual([])
})
