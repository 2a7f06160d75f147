import { ConfigurationError } from 'stemma'
import { setUp, useApi } from '../support/api'
import { Article, startBlogs } from '../support/blogs'
import { DATABASE } from '../support/database'
import { createResource, newResource, updateResource } from '../support/documents'
import { encoded, quote } from './support/payloads'

// Connections have settings that change how a database reads statements and writes values: those of the server, of the user, or of the application.

/** Settings that the store supports, or that the application sets after the connection was checked. */
const SETTINGS: Readonly<Record<typeof DATABASE, readonly string[]>> = {
  sqlite: [
    ...['case_sensitive_like = on', 'case_sensitive_like = off', 'reverse_unordered_selects = on'],
    ...['full_column_names = on', 'recursive_triggers = on'],
  ].map((pragma) => `pragma ${pragma}`),
  postgres: [
    'set standard_conforming_strings = off; set backslash_quote = on',
    'set bytea_output = escape',
    "set datestyle = 'ISO, DMY'; set intervalstyle = iso_8601",
    'set extra_float_digits = 3',
    'set transform_null_equals = on',
    'set array_nulls = off',
    "set timezone = 'Asia/Kathmandu'",
  ],
  mariadb: [
    ...[
      ...['NO_BACKSLASH_ESCAPES', 'NO_BACKSLASH_ESCAPES,ANSI_QUOTES', 'ANSI_QUOTES', 'PIPES_AS_CONCAT'],
      ...['HIGH_NOT_PRECEDENCE', 'NO_UNSIGNED_SUBTRACTION', 'IGNORE_SPACE', 'ONLY_FULL_GROUP_BY'],
      ...['SIMULTANEOUS_ASSIGNMENT', 'ANSI', 'MSSQL', 'TRADITIONAL'],
    ].map((mode) => `set sql_mode = 'STRICT_TRANS_TABLES,${mode}'`),
    'set names utf8mb4 collate utf8mb4_bin',
    'set names utf8mb4 collate utf8mb4_general_ci',
  ],
}

/** Texts that would end a literal, or that an escape would change. */
const TEXTS = [
  ...["'", 'a\\', "\\' or 1=1 -- ", "' or '1'='1", '" or ""="', '\\n\\0\\%', "'\\''", 'a\r\nb', '`', '? $1 :id'],
  ...["x' or 1=1))) as total from article t0 -- ", "\\' or 1=1))) as total from article t0 -- ", "é\\' or 1=1 -- 😀"],
]

describe('session settings', () => {
  const api = setUp(() => startBlogs({ clientGeneratedIds: 'allowed' }))
  beforeAll(() => api.add(Article, { title: 'other' }))

  const idsWith = async (type: string, filter: string): Promise<readonly string[]> => {
    const { body } = await api.get(`/${type}?filter=${encoded(filter)}`).expect(200)
    return body.data.map(({ id }: { id: string }) => id)
  }

  it.each(SETTINGS[DATABASE])('%s: texts are stored unchanged and found by filters', async (settings) => {
    // Sequential requests use the same connection, which is checked for the first of them.
    await api.get('/articles').expect(200)
    for (const setting of settings.split('; ')) await api.dataSource.query(setting)
    for (const text of TEXTS) {
      const created = await createResource(api, 'articles', { title: 'new', extra: { [text]: text } }).expect(201)
      const { id } = created.body.data
      await updateResource(api, 'articles', id, { title: text }).expect(204)
      const { attributes } = (await api.get(`/articles/${id}`).expect(200)).body.data
      expect(attributes).toMatchObject({ title: text, extra: { [text]: text } })
      for (const filter of [
        `equals(title,${quote(text)})`,
        `contains(title,${quote(text)})`,
        `any(title,${quote(text)},${quote(`${text}'`)})`,
      ])
        expect([filter, await idsWith('articles', filter)]).toEqual([filter, [id]])
      await api.delete(`/articles/${id}`).expect(204)
    }
    await createResource(api, 'tags', {}, {}, "\\' or 1=1 -- ").expect(201)
    expect(await idsWith('tags', `any(id,${quote("\\' or 1=1 -- ")},'a')`)).toEqual(["\\' or 1=1 -- "])
    await api.delete(`/tags/${encoded("\\' or 1=1 -- ")}`).expect(204)
  })
})

const REFUSED: Readonly<Record<typeof DATABASE, readonly (readonly [setting: string, name: string])[]>> = {
  sqlite: [],
  postgres: [
    ["set datestyle = 'SQL, DMY'", "DateStyle 'SQL, DMY'"],
    ['set client_encoding = LATIN1', "client_encoding 'LATIN1'"],
    ['set extra_float_digits = 0', "extra_float_digits '0'"],
  ],
  mariadb: [
    ...['NO_BACKSLASH_ESCAPES', 'EMPTY_STRING_IS_NULL', 'PAD_CHAR_TO_FULL_LENGTH', 'ORACLE'].map(
      (mode) => [`set sql_mode = 'STRICT_TRANS_TABLES,${mode}'`, mode] as const,
    ),
    ["set sql_mode = ''", 'STRICT_TRANS_TABLES'],
    ['set names gbk', "character_set_client 'gbk'"],
    ['set names latin1', "character_set_results 'latin1'"],
    ['set names utf8mb3', "character_set_connection 'utf8mb3'"],
  ],
}

it('passes values unescaped to a logger', async () => {
  await useApi(startBlogs(), async (api) => {
    const logged: unknown[] = []
    const { logger } = api.dataSource
    api.dataSource.logger = Object.assign(Object.create(logger), {
      logQuery: (_text: string, parameters: unknown) => logged.push(parameters),
    })
    for (const text of TEXTS) await api.get(`/articles?filter=equals(title,${encoded(quote(text))})`).expect(200)
    for (const text of TEXTS) expect(JSON.stringify(logged)).toContain(JSON.stringify(text))
  })
})

const RESET: Readonly<Record<typeof DATABASE, readonly string[]>> = {
  sqlite: [],
  postgres: ['reset all'],
  mariadb: ['set sql_mode = default', 'set names utf8mb4'],
}

for (const [setting, name] of REFUSED[DATABASE])
  it(`returns 500 after ${setting}, until the setting is reset`, async () => {
    const reported: unknown[] = []
    await useApi(startBlogs({ onError: (error) => reported.push(error) }), async (api) => {
      await api.dataSource.query(setting)
      const blog = newResource('blogs', { title: 'Sky' })
      for (const sending of [api.get('/blogs'), api.post('/blogs').send(blog)]) {
        const { text } = await sending.expect(500)
        expect(text).not.toContain(name)
      }
      expect(reported).toEqual([expect.any(ConfigurationError), expect.any(ConfigurationError)])
      expect(String(reported[0])).toContain(name)
      for (const each of RESET[DATABASE]) await api.dataSource.query(each)
      await api.get('/blogs').expect(200)
      await api.post('/blogs').send(blog).expect(201)
    })
  })
