import { type ResourceClass, ResourceDefinition } from 'stemma'
import { Human } from './human'

/**
 * The rules of all humans. This example has none. Rules that you add here apply to men and women too, because their definitions extend
 * this class and call it with `super`.
 */
export class HumanDefinition<Resource extends Human = Human> extends ResourceDefinition<Resource> {
  readonly resource: ResourceClass = Human
}
