/** Requirements without a test, by id, with the reason: they are optional, and the library does not implement them. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  'LK-4': 'No link has a `rel`.',
  'LK-5': 'No link object has a `describedby`.',
  'LK-7': 'No link has an `hreflang`.',
  'UP-10': 'May: an update without other changes returns 204.',
  'UR-12': 'May: a write without other changes returns 204.',
  'DE-2': 'May: a deletion returns 204.',
  'AS-3': 'May: the library cannot estimate how long the application needs.',
  'ER-10': 'May: error objects have no ids.',
  'RC-5': 'Recommended for clients without PATCH; not supported.',
  'CP-30': 'Ranges are supported, so this error cannot occur.',
}

/** Requirements that no message can show, with how the library meets them. */
export const BY_DESIGN: Readonly<Record<string, string>> = {
  'MT-4': 'The library defines no extension or profile; those that it applies are documented at their URIs.',
  'EX-7':
    'Applications register their extensions and where they apply; Atomic Operations adds an endpoint with its own documents.',
  'PR-1': 'Cursor Pagination, the only profile, uses only members of `meta` and parameters of `page`.',
  'PR-2': 'Cursor Pagination has only parameters of `page`.',
  'PR-4': 'There is one profile.',
  'LK-9': 'No link has a `rel`: its name is its relation type.',
  'QP-6': 'Applications name their own parameters; those in the documentation are in camel case.',
}

/** Requirements whose tests deviate from the strictest reading of the specification, with the reason. */
export const DEVIATIONS: Readonly<Record<string, string>> = {
  'FI-1':
    '`filter` contains an expression; the name in brackets is the relationship to filter. Fields in brackets are an option.',
  'SF-9': 'Several fieldsets of one type are merged, as includes are.',
  'CR-16': 'An abstract type returns 422, not 409: it matches the endpoint, but no resource can have it.',
  'QP-12':
    'Filters are joined with `or`; includes and fieldsets are merged. Only repeated sorts and pages are rejected.',
}
