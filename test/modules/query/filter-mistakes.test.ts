import { parseFilter } from '../../../src/query/parse-filter'
import { articles, graph, men, samples } from './support/graph'
import { readMarked, thrownBy } from './support/marked'

describe('mistakes in a filter', () => {
  it.each([
    ["equals(^nope,'a')", "Expected an attribute of 'articles', found 'nope'."],
    ["and(equals(title,'a')^)", "Expected ',', found ')'."],
    ["or(equals(title,'a')^", "Expected ',', found the end."],
    ['and(^)', "Expected a filter function, found ')'."],
    ['lessThan(title,^null)', "Expected an attribute of 'articles', found 'null'."],
    ['equals(title,^null)', "Expected a value, as 'title' is never null, found 'null'."],
    ['equals(id,^null)', "Expected a value, as 'id' is never null, found 'null'."],
    ['^', 'Expected a filter function, found the end.'],
    ['^title', "Expected a filter function, found 'title'."],
    ["^'title'", "Expected a filter function, found the text 'title'."],
    ['^count(revisions)', "Expected a filter function, found 'count'."],
    ["^equal(title,'a')", "Expected a filter function, found 'equal'. Did you mean 'equals'?"],
    ["^Equals(title,'a')", "Expected a filter function, found 'Equals'. Did you mean 'equals'?"],
    ["^constructor(title,'a')", "Expected a filter function, found 'constructor'."],
    ['not^', "Expected '(', found the end."],
    ["not(equals(title,'a')^,equals(title,'a'))", "Expected ')', found ','."],
    ["equals(title,'a')^)", "Expected the end, found ')'."],
    ["equals(title,'a'^", "Expected ')', found the end."],
    ["equals(title^ ,'a')", 'Expected no blank here, found a blank.'],
    ["^ equals(title,'a')", 'Expected no blank here, found a blank.'],
    ["equals(title^'a')", "Expected no quote behind 'title', found a quote."],
    ["equals(title,'a'^b)", "Expected ')', found 'b'."],
    ["equals(title,'a^b", 'Expected a closing quote, found the end.'],
    ["equals(title,^'", 'Expected a closing quote, found the end.'],
    ["equals(title,'a'^'", 'Expected a closing quote, found the end.'],
    ["equals(title,'^😀", 'Expected a closing quote, found the end.'],
    ["equals(^'a',title)", "Expected an attribute of 'articles', found the text 'a'."],
    ["equals(^,'a')", "Expected an attribute of 'articles', found ','."],
    ["equals(^__proto__,'a')", "Expected an attribute of 'articles', found '__proto__'."],
    ["equals(^toString,'a')", "Expected an attribute of 'articles', found 'toString'."],
    ["equals(^Title,'a')", "Expected an attribute of 'articles', found 'Title'. Did you mean 'title'?"],
    ['equals(title.^)', "Expected nothing behind the attribute 'title', found ')'."],
    ["equals(title.^length,'a')", "Expected nothing behind the attribute 'title', found 'length'."],
    ["equals(author.^nope,'a')", "Expected an attribute of 'humans', found 'nope'. Did you mean 'name'?"],
    [
      "equals(^atuhor.name,'a')",
      "Expected a to-one relationship of 'articles', found 'atuhor'. Did you mean 'author'?",
    ],
    ["equals(author.^,'a')", "Expected an attribute of 'humans', found ','."],
    [
      "equals(^revisions.content,'a')",
      "Expected a to-one relationship of 'articles', found the to-many relationship 'revisions'.",
    ],
    ["equals(^revisions,'a')", "Expected an attribute of 'articles', found the to-many relationship 'revisions'."],
    ["lessThan(author^,'a')", "Expected '.' and an attribute of 'humans', found ','."],
    ['equals(title,author^)', "Expected '.' and an attribute of 'humans', found ')'."],
    ["equals(author,^'a')", "Expected 'null', found the text 'a'."],
    ["equals(author,^'null')", "Expected 'null', found the text 'null'."],
    ['equals(author,^author)', "Expected 'null', found 'author'."],
    [
      "equals(author.^hasBeard,'true')",
      "Expected an attribute of 'humans', found 'hasBeard'. It belongs to 'men': isType(...) leads there.",
    ],
    [
      "equals(author.^age,'1')",
      "Expected an attribute of 'humans', found 'age'. It belongs to 'men' or 'women': isType(...) leads there.",
    ],
    ["equals(^men:age,'1')", "Expected an attribute of 'articles', found 'men'."],
    ["equals(^nope(title),'a')", "Expected a function, found 'nope'. Did you mean 'not'?"],
    ['equals(^count,count)', "Expected an attribute of 'articles', found 'count'."],
    ['equals(count(^title),count)', "Expected a to-many relationship of 'articles', found the attribute 'title'."],
    ["equals(count(author^),'1')", "Expected '.' and a to-many relationship of 'humans', found ')'."],
    ["equals(count(revisions^,title),'1')", "Expected ')', found ','."],
    ["equals(count(revisions),^'x')", "Expected an integer from -9007199254740991 to 9007199254740991, found 'x'."],
    ['equals(count(revisions),^title)', 'Expected a value of type integer, found one of type string.'],
    ['equals(count(revisions),^null)', "Expected an attribute of 'articles', found 'null'."],
    ["equals(has(revisions),^'yes')", "Expected 'true' or 'false', found 'yes'."],
    ["lessThan(^has(revisions),'true')", 'Expected a value that has an order, found one of type boolean.'],
    ['equals(views,^title)', 'Expected a value of type integer, found one of type string.'],
    ['equals(views,^author.name)', 'Expected a value of type integer, found one of type string.'],
    ["equals(views,^'many')", "Expected an integer from 0 to 2147483647, found 'many'."],
    ["contains(^views,'a')", 'Expected an attribute of type string, found one of type integer.'],
    ["contains(author.^id,'a')", 'Expected an attribute of type string, found one of type integer.'],
    ["contains(^count(revisions),'a')", "Expected an attribute of 'articles', found 'count'."],
    ['contains(title,^null)', "Expected a value in single quotes, found 'null'."],
    ['contains(title,^title)', "Expected a value in single quotes, found 'title'."],
    ["startsWith(title,^'\0')", "Expected a text without NUL characters, found '\0'."],
    ['any(title^)', "Expected ',', found ')'."],
    ['any(title,^)', "Expected a value in single quotes, found ')'."],
    ["any(title,'a',^null)", "Expected a value in single quotes, found 'null'."],
    ["any(title,'a'^.)", "Expected ')', found '.'."],
    ["any(views,'1',^'x')", "Expected an integer from 0 to 2147483647, found 'x'."],
    ['has(^title)', "Expected a to-many relationship of 'articles', found the attribute 'title'."],
    ['has(author^)', "Expected '.' and a to-many relationship of 'humans', found ')'."],
    ['has(^)', "Expected a to-many relationship of 'articles', found ')'."],
    ["has(revisions,equals(^title,'a'))", "Expected an attribute of 'revisions', found 'title'."],
    ['has(revisions,^)', "Expected a filter function, found ')'."],
    ['isType(^)', "Expected a to-one relationship of 'articles', found ')'."],
    [
      'isType(^revisions,men)',
      "Expected a to-one relationship of 'articles', found the to-many relationship 'revisions'.",
    ],
    ['isType(^title,men)', "Expected a to-one relationship of 'articles', found the attribute 'title'."],
    ['isType(author^)', "Expected ',', found ')'."],
    ['isType(author,^)', "Expected a type derived from 'humans', found ')'."],
    ['isType(author,^humans)', "Expected a type derived from 'humans', found 'humans'."],
    ['isType(author,^articles)', "Expected a type derived from 'humans', found 'articles'."],
    ['isType(author,^mens)', "Expected a type derived from 'humans', found 'mens'. Did you mean 'men'?"],
    ["isType(author,^'men')", "Expected a type derived from 'humans', found the text 'men'."],
    ['isType(,^articles)', "Expected a type derived from 'articles', found 'articles'."],
    ["isType(author,men,equals(^maidenName,'a'))", "Expected an attribute of 'men', found 'maidenName'."],
  ])('points at the mistake in %s', (marked, message) => {
    const { text, position } = readMarked(marked)
    const error = thrownBy(() => parseFilter(text, articles, graph))
    expect(error).toMatchObject({ name: 'QuerySyntaxError', position, message })
  })

  it.each([
    ['equals(^list,list)', 'Expected a value that can be compared, found one of type list.'],
    ["equals(^json,'{}')", 'Expected a value that can be compared, found one of type json.'],
    ["any(^binary,'a')", 'Expected a value that can be compared, found one of type binary.'],
    ["lessThan(^list,'a')", 'Expected a value that can be compared, found one of type list.'],
    ["greaterThan(^boolean,'true')", 'Expected a value that has an order, found one of type boolean.'],
    ["lessOrEqual(other.^boolean,'true')", 'Expected a value that has an order, found one of type boolean.'],
    ['equals(date,^datetime)', 'Expected a value of type date, found one of type datetime.'],
    ['equals(text,^enum)', 'Expected a value of type string, found one of type enum.'],
    ['equals(enum,^level)', 'Expected a value of type enum, found one of type enum.'],
    ['equals(enum,^noEnum)', 'Expected a value of type enum, found one of type enum.'],
    ["equals(count(^count),'1')", "Expected a to-many relationship of 'samples', found the attribute 'count'."],
    ["not^'a'", "Expected no quote behind 'not', found a quote."],
  ])('points at the wrong type in %s', (marked, message) => {
    const { text, position } = readMarked(marked)
    const error = thrownBy(() => parseFilter(text, samples, graph))
    expect(error).toMatchObject({ position, message })
  })

  it('holds what was expected and found apart', () => {
    const error = thrownBy(() => parseFilter('equals(nope', articles, graph))
    expect(error).toMatchObject({ expected: "an attribute of 'articles'", found: "'nope'" })
  })

  it('shortens what it found', () => {
    const error = thrownBy(() => parseFilter('x'.repeat(5000), articles, graph))
    expect(error).toMatchObject({ found: `'${'x'.repeat(60)}...'` })
  })

  it('takes a hundred functions within each other, and no more', () => {
    const nested = (depth: number): string => `${'not('.repeat(depth)}has(revisions)${')'.repeat(depth)}`
    expect(parseFilter(nested(99), articles, graph)).toMatchObject({ kind: 'not' })
    for (const depth of [100, 50_000]) {
      expect(thrownBy(() => parseFilter(nested(depth), articles, graph))).toMatchObject({
        position: 400,
        message: expect.stringContaining('Expected at most 100 functions within each other'),
      })
    }
  })

  it('counts functions that are operands too', () => {
    const text = `${'equals('.repeat(50_000)}has(revisions)`
    expect(thrownBy(() => parseFilter(text, articles, graph))).toMatchObject({ position: 700 })
  })

  it('takes twenty to-one relationships in a path, and no more', () => {
    const path = (hops: number): string => `equals(${'father.'.repeat(hops)}name,'Ada')`
    expect(parseFilter(path(20), men, graph)).toMatchObject({ kind: 'comparison' })
    expect(thrownBy(() => parseFilter(path(21), men, graph))).toMatchObject({
      message: "Expected at most 20 to-one relationships in a path, found '.'.",
    })
  })
})
