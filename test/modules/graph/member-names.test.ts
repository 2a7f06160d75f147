import { isUrlSafeMemberName } from '../../../src/document/member-names'

// What is refused at both ends, and each reserved character: test/spec/json-api/member-names.

it.each(['a', 'Z', '7', 'firstName', 'first-name', 'first_name', 'a--b', 'größe', '名前', '😀'])('takes %j', (name) => {
  expect(isUrlSafeMemberName(name)).toBe(true)
})

it.each(['first name', 'a\n', 'a\uD83Db'])('refuses %j', (name) => expect(isUrlSafeMemberName(name)).toBe(false))
