import type { JsonApiOptions } from 'stemma'
import { identify } from './authentication'
import { dataSource } from './data-source'
import { resources } from './entities'
import {
  AuthorDefinition,
  BranchDefinition,
  ChangeDefinition,
  CopyDefinition,
  ItemDefinition,
} from './rules/catalogue-definitions'
import { LoanDefinition } from './rules/loan-definition'
import { MemberDefinition } from './rules/member-definition'
import { ReservationDefinition } from './rules/reservation-definition'
import { settings } from './settings'

/** The options of the API. `createApp` serves it, `npx stemma check build/examples/library/configuration.js` checks it. */
export function configuration(source = dataSource) {
  return {
    dataSource: source,
    resources,
    definitions: [
      ...[new BranchDefinition(), new AuthorDefinition(), new ItemDefinition(), new CopyDefinition()],
      ...[new MemberDefinition(), new LoanDefinition(), new ReservationDefinition(), new ChangeDefinition()],
    ],
    context: identify,
    // A link is set once, and from one end: the rules of loans and reservations rely on it. Relationships with `set` or `add` list them.
    capabilities: { toOne: ['view', 'include', 'filter', 'create'], toMany: ['view', 'include', 'filter'] },
    etagSecret: settings.etagSecret,
    loadShedding: { maxConcurrency: 100 },
    // The explorer asks for the token.
    openApi: {
      title: 'The library',
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      security: [{ token: [] }],
    },
  } satisfies JsonApiOptions
}
