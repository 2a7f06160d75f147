import { Type } from 'class-transformer'
import { IsInt, IsString, MaxLength, MinLength, ValidateNested } from 'class-validator'
import { Attribute, JsonApiError, Resource, ResourceDefinition, type ResourceWrite, ToMany, ToOne } from 'stemma'
import { Column, Entity, ManyToOne, OneToMany, PrimaryGeneratedColumn } from 'typeorm'
import { startApi, type TestApi } from '../../support/api'
import { outcomeOf } from '../../support/expectations'
import { many, one } from './support/office'

// What the model says of values.

class Label {
  @MinLength(2) text!: string
}

@Resource('folders')
@Entity('folders')
class Folder {
  @PrimaryGeneratedColumn() id!: number
  @MinLength(2) @MaxLength(5) @Attribute() @Column({ type: 'varchar' }) name!: string
  @IsInt() @Attribute({ name: 'sheet-count' }) @Column({ type: 'int' }) sheets!: number
  @IsString() @Attribute() @Column({ type: 'varchar', nullable: true }) owner!: string | null
  @ValidateNested({ each: true })
  @Type(() => Label)
  @Attribute()
  @Column({ type: 'simple-json', default: '[]' })
  labels!: Label[]
  @ToOne() @ManyToOne('Folder', 'parts', { nullable: true }) whole!: Folder | null
  @ToMany() @OneToMany('Folder', 'whole') parts!: Folder[]
}

class FolderRules extends ResourceDefinition<Folder> {
  override readonly resource = Folder
  override beforeWrite({ values: { name } }: ResourceWrite<Folder>) {
    if (name === 'taken') throw new JsonApiError({ status: 418, title: 'No.', detail: 'Why?', field: 'sheet-count' })
  }
}

let api: TestApi
beforeAll(async () => {
  api = await startApi([Folder], { definitions: [new FolderRules()] })
  await api.add(Folder, { name: 'x', sheets: 1, owner: 'me', labels: [] })
})
afterAll(() => api.close())

const GOOD = { name: 'abc', 'sheet-count': 1, owner: 'me', labels: [] }
const create = (attributes: object, relationships: object = {}) =>
  api.post('/folders').send({ data: { type: 'folders', attributes, relationships } })
const update = (attributes: object, relationships: object = {}) =>
  api.patch('/folders/1').send({ data: { type: 'folders', id: '1', attributes, relationships } })

const INVALID = '422 attribute.invalid /data/attributes'

describe('refused is', () => {
  it.each<readonly [rule: string, write: typeof create, attributes: object, expected: string]>([
    ['P-01: what breaks a rule, with its place', create, { ...GOOD, name: 'a' }, `${INVALID}/name`],
    [
      'P-01: all that does, together',
      ...([
        create,
        { ...GOOD, name: 'a', labels: [{ text: 'x' }] },
        `${INVALID}/name, ${INVALID}/labels/0/text`,
      ] as const),
    ],
    ['P-02: what was left out of a new one', create, { name: 'abc', 'sheet-count': 1, labels: [] }, INVALID],
    ['P-03: null, in an update', update, { owner: null }, `${INVALID}/owner`],
    [
      'P-08: beaten: a number that is required and was left out',
      create,
      { name: 'abc', owner: 'me' },
      '422 attribute.required /data/attributes',
    ],
    [
      'P-09: what is within JSON, by the pointer of RFC 6901',
      update,
      { labels: [{ text: 'ok' }, { text: '' }] },
      `${INVALID}/labels/1/text`,
    ],
    [
      'P-12: beaten: together with what is wrong with the body',
      ...([create, { ...GOOD, name: 'a', nothing: 1 }] as const),
      `422 attribute.unknown /data/attributes/nothing, ${INVALID}/name`,
    ],
  ])('%s', async (_rule, write, attributes, expected) => {
    expect(outcomeOf(await api.unchanged(() => write(attributes)))).toBe(expected)
  })

  it('P-12: what breaks a rule, before what is related is looked for', async () => {
    const sending = () => update({ name: 'a' }, { whole: one('folders', '99') })
    expect(outcomeOf(await api.unchanged(sending))).toBe(`${INVALID}/name`)
  })
})

it('P-01: says what the rule says', async () => {
  const { body } = await create({ ...GOOD, name: 'a' })
  expect(body.errors[0].detail).toBe('name must be longer than or equal to 2 characters')
})

it.each([
  ['P-03: what is not sent with an update may be missing or wrong', { owner: 'you' }, {}],
  ['P-05: a resource may be related to itself', {}, { whole: one('folders', '1'), parts: many('folders', '1') }],
])('%s', async (_rule, attributes, relationships) => {
  expect(outcomeOf(await update(attributes, relationships))).toBe('204')
})

it.each([
  ['P-06: of what has wrong values relationships can be set', 'PATCH', 'whole', one('folders', '1')],
  ['P-06: and added to', 'POST', 'parts', many('folders', '1')],
  ['P-06: and removed from', 'DELETE', 'parts', many('folders', '1')],
])('%s', async (_rule, method, name, body) => {
  expect(outcomeOf(await api.request(method, `/folders/1/relationships/${name}`).send(body))).toBe('204')
})

it('P-11: what a rule throws is answered as it is', async () => {
  const answer = await api.unchanged(() => create({ ...GOOD, name: 'taken' }))
  expect([outcomeOf(answer), answer.body.errors[0].detail]).toEqual([
    ...['418 rule.refused /data/attributes/sheet-count', 'Why?'],
  ])
})
