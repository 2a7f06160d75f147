import { JsonApiError, type ResourceClass, ResourceDefinition, type ResourceWrite, type StoredRecord } from 'stemma'
import { startApi, type TestApi } from '../../../support/api'
import { Boat, Ferry, Harbour, Sailboat, Tug, VESSELS, Vessel } from '../../../support/writing-models'

// Definitions that record every call of a hook, and then do what a test sets.

export type HookName = Exclude<keyof ResourceDefinition, 'resource' | 'filter'>
// biome-ignore lint/suspicious/noExplicitAny: a test returns any value from any hook
type Behaviour = (write: ResourceWrite<any>, ...rest: any[]) => any

export interface Call {
  readonly hook: HookName
  readonly write: ResourceWrite
  readonly relationship: string | undefined
  readonly rights: unknown
}

export interface Recording {
  readonly api: TestApi
  /** Of rows that are new for each test. */
  ids: Readonly<Record<'boat' | 'sailboat' | 'tug' | 'ferry' | 'harbour' | 'other', string>>
  calls: Call[]
  reported: unknown[]
  /** What the hooks do in this test. */
  behaviours: Partial<Record<HookName, Behaviour>>
}

/** The API of a file of tests. Rules of boats hold for sailboats, those of vessels for tugs and ferries. */
export function recordHooks(): Recording {
  class Recorder extends ResourceDefinition {
    readonly resource: ResourceClass

    constructor(resource: ResourceClass) {
      super()
      this.resource = resource
    }

    override prepareWrite = this.record('prepareWrite')
    override setToOne = this.record('setToOne')
    override setToMany = this.record('setToMany')
    override addToMany = this.record('addToMany')
    override removeFromMany = this.record('removeFromMany')
    override beforeWrite = this.record('beforeWrite')
    override afterWrite = this.record('afterWrite')
    override afterCommit = this.record('afterCommit')

    private record(hook: HookName): Behaviour {
      return (write, relationship, rights) => {
        expect(Object.isFrozen(write.values)).toBe(true)
        recording.calls.push({ hook, write, relationship, rights })
        return recording.behaviours[hook]?.(write, relationship, rights)
      }
    }
  }

  const recording = {} as { -readonly [Key in keyof Recording]: Recording[Key] }
  beforeAll(async () => {
    const definitions = [new Recorder(Vessel), new Recorder(Boat), new Recorder(Harbour)]
    recording.api = await startApi(VESSELS, { definitions, report: (error) => recording.reported.push(error) })
  })
  afterAll(() => recording.api.close())
  beforeEach(async () => {
    const { api } = recording
    recording.ids = {
      boat: await api.add(Boat, { name: 'Bee', oars: 6 }),
      sailboat: await api.add(Sailboat, { name: 'Sea', masts: 3 }),
      tug: await api.add(Tug, { name: 'Tom' }),
      ferry: await api.add(Ferry, { name: 'Fay' }),
      harbour: await api.add(Harbour, { name: 'Hull' }),
      other: await api.add(Harbour, { name: 'Kiel' }),
    }
    recording.calls = []
    recording.reported = []
    recording.behaviours = {}
  })
  return recording
}

/** `sailboats 2 Sailboat`: a record with the class of its instance. */
export function describeRecord(right: unknown): unknown {
  if (Array.isArray(right)) return right.map(describeRecord)
  const record = right as StoredRecord | null
  return record && `${record.type.name} ${record.id} ${record.instance.constructor.name}`
}

export function refuse(refusal: object = {}): never {
  throw new JsonApiError({ title: 'No.', ...refusal })
}
