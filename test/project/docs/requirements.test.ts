import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { REQUIREMENTS } from 'stemma/testing'
import { ROOT } from './snippets'

const page = readFileSync(join(ROOT, 'docs/reference/requirements.md'), 'utf8')

it('requirements.md has each requirement once', () => {
  const described = [...page.matchAll(/^\| `([A-Z]{2}-\d+)` \| (\w+) \| \[(.+)\]\((\S+)\)\. \|$/gm)]
  const rows = described.map(([, id, level, text, section]) => `${id} ${level} ${text}. ${section}`)
  const table = Object.entries(REQUIREMENTS).map(
    ([id, { level, text, section }]) => `${id} ${level} ${text} ${section}`,
  )
  expect(rows).toEqual(table)
})
