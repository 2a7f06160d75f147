import { Human } from '../../examples/humans/human'
import { HumanDefinition } from '../../examples/humans/human-definition'
import { Man } from '../../examples/humans/man'
import { ManDefinition } from '../../examples/humans/man-definition'
import { Woman } from '../../examples/humans/woman'
import { WomanDefinition } from '../../examples/humans/woman-definition'
import { type ApiOptions, startApi, type TestApi } from './api'
import { insertRow, linkRow } from './rows'

export { Human, Man, Woman }

/** The hierarchy of the specification, served with its rules. */
export interface HumansApi extends TestApi {
  /** Stores a man past all rules; gives his id. */
  addMan(values: Partial<Man>): Promise<string>
  addWoman(values: Partial<Woman>): Promise<string>
  /** Links past all rules; a list adds members. */
  link(id: string, relationship: string, rights: string | readonly string[]): Promise<void>
}

export async function startHumans(options: ApiOptions = {}): Promise<HumansApi> {
  const definitions = [new HumanDefinition(), new ManDefinition(), new WomanDefinition()]
  const api = await startApi([Human, Man, Woman], { definitions, ...options })
  const { dataSource } = api
  const store = async (type: typeof Man | typeof Woman, values: object) => {
    return String((await insertRow(dataSource, type, values)).id)
  }
  return {
    ...api,
    addMan: (values) => store(Man, values),
    addWoman: (values) => store(Woman, values),
    async link(id, relationship, rights) {
      const declaring = { wife: Man, husband: Woman }[relationship] ?? Human
      await linkRow(dataSource, [declaring, Number(id)], relationship, [rights].flat().map(Number))
    },
  }
}
