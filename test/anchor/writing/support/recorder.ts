import { type ResourceClass, ResourceDefinition, type ResourceWrite, type StoredRecord } from 'stemma'

/** Writes a line for each hook that is called: `setToOne cars engine: dieselEngines 2`, the rights under the types that it is told. */
export class Recorder extends ResourceDefinition {
  readonly resource: ResourceClass
  readonly lines: string[]
  constructor(resource: ResourceClass, lines: string[]) {
    super()
    this.resource = resource
    this.lines = lines
  }

  override prepareWrite(write: ResourceWrite) {
    this.note('prepareWrite', write)
  }
  override setToOne(write: ResourceWrite, name: string, right: StoredRecord | null) {
    this.noteRights('setToOne', write, name, right === null ? [] : [right])
  }
  override setToMany(write: ResourceWrite, name: string, rights: readonly StoredRecord[]) {
    this.noteRights('setToMany', write, name, rights)
  }
  override addToMany(write: ResourceWrite, name: string, rights: readonly StoredRecord[]) {
    this.noteRights('addToMany', write, name, rights)
  }
  override removeFromMany(write: ResourceWrite, name: string, rights: readonly StoredRecord[]) {
    this.noteRights('removeFromMany', write, name, rights)
  }
  override beforeWrite(write: ResourceWrite) {
    this.note('beforeWrite', write)
  }
  override async afterWrite(write: ResourceWrite) {
    this.note('afterWrite', write)
  }
  override async afterCommit(write: ResourceWrite) {
    this.note('afterCommit', write)
  }

  private noteRights(hook: string, write: ResourceWrite, name: string, rights: readonly StoredRecord[]): void {
    this.note(hook, write, ` ${name}: ${rights.map(({ type, id }) => `${type.name} ${id}`).join(', ')}`)
  }

  /** The class of the values must be that of the stored type, at every step. */
  private note(hook: string, { type, values }: ResourceWrite, more = ''): void {
    expect(values.constructor).toBe(type.resourceClass)
    this.lines.push(`${hook} ${type.name}${more}`)
  }
}
