import { type ResourceClass, ResourceDefinition } from 'stemma'
import { Human } from './human'

/**
 * The rules of everybody: there are none in this family yet. One that is put here holds for men and women too, because their
 * definitions extend this class and call it with `super`.
 */
export class HumanDefinition<Resource extends Human = Human> extends ResourceDefinition<Resource> {
  readonly resource: ResourceClass = Human
}
