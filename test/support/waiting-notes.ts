import { Attribute, getEntityManager, Resource, ResourceDefinition, type ResourceWrite } from 'stemma'
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm'
import { until } from './until'

@Resource('notes')
@Entity()
export class Note {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 40 }) name: string
  @Attribute() @Column({ type: 'text', nullable: true }) text: string | null
}

/** Inserts another row with each write. A write with the name `wait` then waits until `resume` is called. */
export class WaitingRules extends ResourceDefinition<Note> {
  override readonly resource = Note
  resume: () => void = () => undefined
  private isWaiting = false

  override async beforeWrite(write: ResourceWrite<Note>) {
    await getEntityManager(write).insert(Note, { name: `by ${write.values.name}` })
    if (write.values.name !== 'wait') return
    this.isWaiting = true
    await new Promise<void>((resolve) => (this.resume = resolve))
  }

  /** Resolves when the first write waits. */
  hasArrived(): Promise<void> {
    return until('a write waits in its rule', () => this.isWaiting)
  }
}

export function noteOf(name: string, text: string | null = null) {
  return { data: { type: 'notes', attributes: { name, text } } }
}
