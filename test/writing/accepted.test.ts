import {
  Attribute,
  accepted,
  entityManagerOf,
  IdempotencyKey,
  Resource,
  ResourceDefinition,
  type ResourceWrite,
  type StoredRecord,
  ToMany,
  ToOne,
} from 'stemma'
import { Column, Entity, ManyToOne, OneToMany, PrimaryGeneratedColumn } from 'typeorm'
import { apiOver, type TestApi } from '../support/api'
import { openDatabase } from '../support/database'
import { startServer } from '../support/server'

// Photos are developed in the background; a job tells how far they are. https://jsonapi.org/recommendations/#asynchronous-processing

@Resource('albums')
@Entity('albums')
class Album {
  @PrimaryGeneratedColumn() id: number
  @ToMany() @OneToMany('Photo', 'album') photos: Photo[]
}

@Resource('photos')
@Entity('photos')
class Photo {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 40 }) title: string
  @ToOne() @ManyToOne('Album', 'photos', { nullable: true }) album: Album | null
  @ToMany() @OneToMany('Print', 'photo') prints: Print[]
}

@Resource('prints')
@Entity('prints')
class Print {
  @PrimaryGeneratedColumn() id: number
  @ToOne() @ManyToOne('Photo', 'prints', { nullable: true }) photo: Photo | null
}

@Resource('photo-jobs')
@Entity('photo_jobs')
class PhotoJob {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 40 }) task: string
  @Attribute({ capabilities: [] }) @Column({ type: 'int', nullable: true }) photoId: number | null
}

/** Hands over what is large. */
class PhotoRules extends ResourceDefinition<Photo> {
  override readonly resource = Photo
  readonly told: string[] = []
  answersWith = 'photo-jobs'

  override async beforeWrite(write: ResourceWrite<Photo>) {
    if (!write.values.title.startsWith('large')) return
    const { id } = await entityManagerOf(write).save(PhotoJob, { task: `${write.kind} ${write.values.title}` })
    return accepted({ type: this.answersWith, id: String(id) })
  }

  override afterWrite({ kind }: ResourceWrite<Photo>) {
    this.told.push(`written: ${kind}`)
  }

  override afterCommit({ kind }: ResourceWrite<Photo>) {
    this.told.push(`committed: ${kind}`)
  }
}

class PhotoJobRules extends ResourceDefinition<PhotoJob> {
  override readonly resource = PhotoJob

  override seeOther({ instance: { photoId } }: StoredRecord<PhotoJob>) {
    return photoId === null ? undefined : { type: 'photos', id: String(photoId) }
  }
}

const RESOURCES = [Album, Photo, Print, PhotoJob]

let api: TestApi
let rules: PhotoRules
let reported: unknown[]

beforeEach(async () => {
  rules = new PhotoRules()
  reported = []
  const database = await openDatabase([...RESOURCES, IdempotencyKey])
  const server = await startServer({
    dataSource: database.dataSource,
    resources: RESOURCES,
    definitions: [rules, new PhotoJobRules()],
    idempotency: { owner: () => 'everyone' },
    report: (error) => reported.push(error),
  })
  api = apiOver(database, server, async () => {
    await server.close()
    await database.close()
  })
})
afterEach(() => api.close())

const photo = (title: string, rest: object = {}) => ({ data: { type: 'photos', attributes: { title }, ...rest } })
const jobs = () => api.dataSource.getRepository(PhotoJob)

it('answers with the job, and writes nothing but that', async () => {
  const answer = await api.post('/photos?fields[photos]=title').send(photo('large')).expect(202)
  expect(answer.headers['content-location']).toBe('/photo-jobs/1')
  expect([answer.headers.location, answer.headers.etag]).toEqual([undefined, undefined])
  const job = await api.get('/photo-jobs/1')
  expect(answer.body).toEqual(job.body)
  expect(job.body.data).toMatchObject({ type: 'photo-jobs', id: '1', attributes: { task: 'create large' } })
  expect((await api.get('/photos')).body.data).toEqual([])
  expect(rules.told).toEqual(['committed: create'])
})

it('leaves other writes alone', async () => {
  await api.post('/photos').send(photo('small')).expect(201)
  expect([rules.told, await jobs().count()]).toEqual([['written: create', 'committed: create'], 0])
})

describe('every kind of write', () => {
  const prints = { data: [{ type: 'prints', id: '1' }] }

  it.each<readonly [string, string, string, unknown]>([
    ['update', 'PATCH', '/photos/1', photo('large', { id: '1' })],
    ['delete', 'DELETE', '/photos/1', undefined],
    ['setRelationship', 'PATCH', '/photos/1/relationships/album', { data: { type: 'albums', id: '1' } }],
    ['addToRelationship', 'POST', '/photos/1/relationships/prints', prints],
    ['removeFromRelationship', 'DELETE', '/photos/1/relationships/prints', prints],
  ])('can be handed over: %s', async (kind, method, path, body) => {
    await api.add(Album)
    await api.add(Photo, { title: 'large before' })
    await api.add(Print, kind === 'removeFromRelationship' ? { photo: 1 } : {})
    const headers = { prefer: 'return=minimal' }
    const answer = await api.unchanged(async () => {
      const sent = await api.request(method, path, { ...(body !== undefined && { body }), headers })
      expect((await jobs().find()).map(({ task }) => task.split(' ')[0])).toEqual([kind])
      await jobs().clear()
      return sent
    })
    expect([answer.status, answer.headers['content-location']]).toEqual([202, '/photo-jobs/1'])
    expect(answer.headers['preference-applied']).toBeUndefined()
    expect(rules.told).toEqual([`committed: ${kind}`])
  })
})

it('a request that is sent again with its key finds the same job', async () => {
  const sending = { body: photo('large'), headers: { 'idempotency-key': '"one"' } }
  const [first, again] = [await api.request('POST', '/photos', sending), await api.request('POST', '/photos', sending)]
  expect([again.status, again.text]).toEqual([202, first.text])
  expect(again.headers['content-location']).toBe('/photo-jobs/1')
  expect(await jobs().count()).toBe(1)
})

it.each(['nowhere', 'photos'])('a job that clients could not see is a mistake of the rule: %s', async (type) => {
  rules.answersWith = type
  const answer = await api.unchanged(() => api.post('/photos').send(photo('large')))
  expect(answer.status).toBe(500)
  expect(reported.map(String)).toEqual([
    `InvariantError: A rule accepted a write with '${type}' of id '1', which the client could not see.`,
  ])
})

it('a job that is done leads to what it has made, whatever is asked of it', async () => {
  await api.post('/photos').send(photo('large'))
  await api.get('/photo-jobs/1').expect(200)
  const photoId = await api.add(Photo, { title: 'done' })
  await jobs().updateAll({ photoId: Number(photoId) })
  for (const path of ['/photo-jobs/1', '/photo-jobs/1?fields[photo-jobs]=task']) {
    const { status, headers, text } = await api.get(path)
    expect([status, headers.location, text]).toEqual([303, `/photos/${photoId}`, ''])
  }
  expect((await api.get('/photo-jobs')).body.data).toHaveLength(1)
})
