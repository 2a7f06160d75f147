import { Human } from '../../examples/humans/human'
import { HumanDefinition } from '../../examples/humans/human-definition'
import { Man } from '../../examples/humans/man'
import { ManDefinition } from '../../examples/humans/man-definition'
import { Woman } from '../../examples/humans/woman'
import { WomanDefinition } from '../../examples/humans/woman-definition'
import { type ApiOptions, startApi, type TestApi } from './api'
import { linkRow } from './rows'

export { Human, Man, Woman }

/** The hierarchy of the specification, served with its rules. */
export interface HumansApi extends TestApi {
  /** Inserts a man without rules and returns his id. */
  addMan(values: Partial<Man>): Promise<string>
  addWoman(values: Partial<Woman>): Promise<string>
  /** Links rows without rules; a list adds members. */
  link(id: string, relationship: string, relatedIds: string | readonly string[]): Promise<void>
}

export async function startHumans(options: ApiOptions = {}): Promise<HumansApi> {
  const definitions = [new HumanDefinition(), new ManDefinition(), new WomanDefinition()]
  const api = await startApi([Human, Man, Woman], { definitions, ...options })
  return {
    ...api,
    addMan: (values) => api.add(Man, values),
    addWoman: (values) => api.add(Woman, values),
    async link(id, relationship, relatedIds) {
      const entity = { wife: Man, husband: Woman }[relationship] ?? Human
      await linkRow(api.dataSource, [entity, Number(id)], relationship, [relatedIds].flat().map(Number))
    },
  }
}
