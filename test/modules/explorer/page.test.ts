import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = join(__dirname, '..', '..', '..', 'src', 'explorer', 'page')
const modules = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => ({ name, text: readFileSync(join(FOLDER, name), 'utf8') }))

it('imports only its own modules and the packages whose licenses it ships', () => {
  // The page also shows code with imports, but they are not at the start of a line.
  const statements = /^(?:import\b(?:.* from)?|export\b.* from|\} from) '([^.'][^']*)'$/gm
  const packages = modules.flatMap(({ text }) => [...text.matchAll(statements)])
  const names = new Set(packages.map(([, name = '']) => name.split('/', name.startsWith('@') ? 2 : 1).join('/')))
  expect(names).toContain('preact')
  const licenses = readFileSync(join(FOLDER, '..', 'explorer-page', 'licenses.txt'), 'utf8')
  expect([...names].filter((name) => !licenses.includes(`${name}\n`))).toEqual([])
})

it('neither parses HTML nor evaluates code', () => {
  const ways = /innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|srcdoc|\beval\b|new Function|setHTML/i
  expect(modules.length).toBeGreaterThan(10)
  expect(modules.filter(({ text }) => ways.test(text)).map(({ name }) => name)).toEqual([])
})
