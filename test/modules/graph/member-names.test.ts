import { isMemberName } from '../../../src/graph/member-names'

it.each(['a', 'Z', '7', 'firstName', 'first-name', 'first_name', 'a--b', 'größe', '名前', '😀'])(
  'accepts %j',
  (name) => {
    expect(isMemberName(name)).toBe(true)
  },
)

it.each([
  ['nothing', ''],
  ['a hyphen at the start', '-a'],
  ['a hyphen at the end', 'a-'],
  ['an underscore at the start', '_id'],
  ['an underscore at the end', 'name_'],
  ['a space, which has to be encoded in a URL', 'first name'],
  ['a line break at the end', 'a\n'],
  ['half a surrogate pair', 'a\uD83Db'],
  ...[...'+,.[]!"#$%&\'()*/:;<=>?@\\^`{|}~\u007f\u0000\u001f'].map((reserved) => [
    'a reserved character',
    `a${reserved}b`,
  ]),
])('refuses %s: %j', (_why, name) => {
  expect(isMemberName(name as string)).toBe(false)
})
