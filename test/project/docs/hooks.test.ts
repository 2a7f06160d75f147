import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { HOOKS, recordHooks } from '../../guides/rules/support/recorder'
import { ROOT } from './snippets'

// The table of hooks and writes in docs/guide/rules.md

const { api, calls } = recordHooks()
const boat = { type: 'boats', id: '1' }
const relationships = { pilotBoat: { data: boat }, vessels: { data: [boat] } }
const setOne = () => api.patch('/harbours/1/relationships/pilotBoat').send({ data: boat })
const setMany = () => api.patch('/harbours/1/relationships/vessels').send({ data: [boat] })

const WRITES: Readonly<Record<string, readonly (() => Promise<{ status: number }>)[]>> = {
  create: [
    () => api.post('/harbours').send({ data: { type: 'harbours', attributes: { name: 'New' }, relationships } }),
  ],
  update: [() => api.patch('/harbours/1').send({ data: { type: 'harbours', id: '1', relationships } })],
  delete: [() => api.delete('/vessels/2')],
  set: [setOne, setMany],
  add: [() => api.post('/harbours/1/relationships/vessels').send({ data: [boat] })],
  remove: [() => api.delete('/harbours/1/relationships/vessels').send({ data: [boat] })],
}

/** The requests of a column for which a hook runs, by the text of the cell. */
const MEANING: Readonly<Record<string, (index: number) => boolean>> = {
  yes: () => true,
  no: () => false,
  'per to-one sent': () => true,
  'per to-many sent': () => true,
  'of a to-one': (index) => index === 0,
  'of a to-many': (index) => index === 1,
}

const page = readFileSync(join(ROOT, 'docs', 'guide', 'rules.md'), 'utf8')
const table = /^\| \| create .*?\n\n/ms.exec(page)?.[0] ?? ''
const [header = [], , ...rows] = table
  .trim()
  .split('\n')
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )

it('rules.md has a row for each hook and a column for each write', () => {
  expect(rows.map(([hook]) => hook)).toEqual(HOOKS.map((hook) => `\`${hook}\``))
  expect(header.slice(1)).toEqual(Object.keys(WRITES))
})

it.each(Object.entries(WRITES))('rules.md lists the hooks that run on %s', async (write, sendings) => {
  for (const [index, sending] of sendings.entries()) {
    calls.length = 0
    expect((await sending()).status).toBeLessThan(300)
    const expected = rows.filter((row) => MEANING[row[header.indexOf(write)] ?? '']?.(index)).map(([hook]) => hook)
    const own = calls.filter(({ write }) => write.origin === undefined)
    expect(own.map(({ hook }) => `\`${hook}\``)).toEqual(expected)
  }
})
