/** Requirements without a test here, by id, each with its reason: the specification lets a server choose, and we don't do it. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  'LK-4': 'No link says `rel`.',
  'LK-5': 'No link object says `describedby`.',
  'LK-7': 'No link says `hreflang`.',
  'UP-10': 'May: an update that changes nothing but what was asked for answers 204.',
  'UR-12': 'May: what is as it was asked for answers 204.',
  'DE-2': 'May: a deletion answers 204.',
  'AS-3': 'May: nobody can tell how long the work of an application takes.',
  'ER-10': 'May: error objects have no ids.',
  'RC-5': 'Recommended for clients that have no PATCH; not offered.',
  'CP-30': 'Ranges are supported, so this error is never due.',
}

/** Requirements of which nothing that is sent shows anything, each with what we do about it. */
export const BY_DESIGN: Readonly<Record<string, string>> = {
  'MT-4': 'We publish neither an extension nor a profile; those that are applied are documented at their URIs.',
  'EX-7':
    'Applications name their extensions and where they apply; Atomic Operations adds an endpoint with documents of its own.',
  'PR-1': 'Cursor Pagination, the one profile that is applied, has members of `meta` and parameters of `page` only.',
  'PR-2': 'Cursor Pagination has no parameters but those of `page`.',
  'PR-4': 'There is one profile.',
  'LK-9': 'No link says `rel`: the name of each is its relation type.',
  'QP-6':
    'Parameters beyond those of JSON:API are named by applications; those of the documentation are in camel case.',
}

/** Requirements whose tests pin something else than the specification says at its strictest, each with the reason. */
export const OTHERWISE: Readonly<Record<string, string>> = {
  'FI-1':
    'The service specification has expressions in `filter`; what stands in brackets is the relationship that is filtered. Fields in brackets are an option.',
  'SF-9': 'Several fieldsets of one type are united, as includes are.',
  'CR-16':
    'An abstract type is 422, as the service specification says, not 409: it is of the endpoint, but nothing can be stored as it.',
  'QP-12':
    'The service specification joins filters with `or`; includes and fieldsets are united. Only sorts and pages are refused.',
}
