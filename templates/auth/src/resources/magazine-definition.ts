import { EditorsOnly } from './editors-only'
import { Magazine } from './magazine'

export class MagazineDefinition extends EditorsOnly<Magazine> {
  readonly resource = Magazine
}
