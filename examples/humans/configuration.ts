import type { JsonApiOptions } from 'stemma'
import { createDataSource } from './data-source'
import { Human } from './human'
import { HumanDefinition } from './human-definition'
import { Man } from './man'
import { ManDefinition } from './man-definition'
import { Woman } from './woman'
import { WomanDefinition } from './woman-definition'

/** The configuration of the API. `createApp` serves it, `npx stemma check` checks it. */
export function configuration(dataSource = createDataSource()) {
  return {
    dataSource,
    resources: [Human, Man, Woman],
    definitions: [new HumanDefinition(), new ManDefinition(), new WomanDefinition()],
    openApi: { served: false, title: 'The family' },
    explorer: true,
  } satisfies JsonApiOptions
}
