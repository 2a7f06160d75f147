import { Attribute, createJsonApi, type JsonApiConfiguration, Resource } from 'stemma'
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm'
import { openDatabase } from '../../support/database'
import { setUp } from '../../support/set-up'

@Resource('planets', { description: 5, deprecated: 'soon' } as never)
@Entity()
class Planet {
  @PrimaryGeneratedColumn() id: number
  @Attribute({ description: '' }) @Column({ type: 'int' }) moons: number
}

@Resource('stars')
@Entity()
class Star {
  @PrimaryGeneratedColumn() id: number
  @Attribute({ example: 'many' }) @Column({ type: 'int', nullable: true }) planets: number | null
  @Attribute({ example: 4.5 }) @Column({ type: 'double precision' }) brightness: number
}

@Resource('moons')
@Entity()
class Moon {
  @PrimaryGeneratedColumn() id: number
}

const database = setUp(() => openDatabase([Planet, Star, Moon]))

function messageOf(configuration: Partial<JsonApiConfiguration>): string {
  try {
    createJsonApi({ dataSource: database.dataSource, resources: [Moon], ...configuration })
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

it.each([
  [{ tilte: 'x' }, "its openApi has no 'tilte'. Did you mean 'title'? Give some of"],
  ['yes', "its openApi has no '0', '1', '2'."],
  [{ served: 'maybe' }, "its openApi.served is not what it can be. Give 'on' or 'off'."],
  [{ title: '' }, 'its openApi.title is not what it can be. Give a text that is not empty.'],
  [{ version: 2 }, "its openApi.version is not what it can be. Give a text like '1.0.0'."],
  [{ description: null }, 'its openApi.description is not what it can be. Give a text, or leave it out.'],
  [{ servers: [{}] }, "its openApi.servers is not what it can be. Give a list of { url: '…' }."],
  [{ securitySchemes: [] }, 'its openApi.securitySchemes is not what it can be. Give an object:'],
  [{ security: [{ bearer: [] }] }, 'its openApi.security is not what it can be. Give a list of objects whose names'],
])('refuses openApi: %j', (openApi, message) => {
  expect(messageOf({ openApi: openApi as never })).toContain(`createJsonApi: ${message}`)
})

it('refuses invalid descriptions and deprecations', () => {
  expect(messageOf({ resources: [Planet] }).split('\n')).toEqual([
    'Planet: its description is no text. Give a text that is not empty, or leave it out.',
    "Planet: its deprecated is 'soon'. Give true, or leave it out.",
    'Planet.moons: its description is no text. Give a text that is not empty, or leave it out.',
  ])
})

it('refuses an example of the wrong type', () => {
  expect(messageOf({ resources: [Star] })).toMatch(
    /^Star\.planets: its example does not fit\. Expected an integer .*, found 'many'\. Give a value as a document shows it\.$/,
  )
})
