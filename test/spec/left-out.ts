/** Requirements without a test here, by id, each with its reason: the specification lets a server choose, and we don't do it. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  'FI-4': "Filters are those of the service specification: `any(author.id,'9','2')` in place of `filter[author]=9,2`.",
  'UP-10': 'May: an update that changes nothing but what was asked for answers 204.',
  'UR-12': 'May: what is as it was asked for answers 204.',
  'DE-2': 'May: a deletion answers 204.',
  'AS-3': 'May: nobody can tell how long the work of an application takes.',
  'ER-10': 'May: error objects have no ids.',
}

/** Requirements of which nothing that is sent shows anything, each with what we do about it. */
export const BY_DESIGN: Readonly<Record<string, string>> = {}

/** Requirements whose tests pin something else than the specification says at its strictest, each with the reason. */
export const OTHERWISE: Readonly<Record<string, string>> = {}
