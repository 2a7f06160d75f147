/** The level of a requirement: its keyword in JSON:API, or `recommended` for the recommendations. */
export type RequirementLevel = 'must' | 'should' | 'recommended'

/** A requirement of JSON:API that a single exchange can violate. */
export interface SpecificationRequirement {
  readonly level: RequirementLevel
  /** The URL of its section. */
  readonly section: string
  readonly text: string
}

const FORMAT = 'https://jsonapi.org/format/1.1/'
const ATOMIC = 'https://jsonapi.org/ext/atomic/#'
const CURSORS = 'https://jsonapi.org/profiles/ethanresnick/cursor-pagination/'
const ADVICE = 'https://jsonapi.org/recommendations/#'
const HTTP = 'https://www.rfc-editor.org/rfc/rfc9110#'

/** One line each; a section that starts with `#` is one of the format. A test checks docs/reference/requirements.md against this table. */
const TABLE = {
  'MT-1': ['must', '#media-type-parameter-rules', 'The media type has no parameters but ext and profile.'],
  'MT-2': ['must', '#media-type-parameter-rules', 'ext and profile are URIs with one space between them.'],
  'MT-3': ['must', `${HTTP}section-5.6.6`, 'ext and profile are quoted.'],
  'EX-2': ['must', '#extension-rules', 'Members of an extension start with its namespace.'],
  'EX-3': ['must', '#extension-rules', 'A namespace is letters and digits.'],
  'EX-4': ['must', '#extension-members', 'The part after the namespace is a legal member name.'],
  'EX-6': ['must', '#content-negotiation-all', 'Members of extensions need an ext in Content-Type.'],
  'CN-1': ['must', '#content-negotiation-all', 'Every body has the media type of JSON:API.'],
  'CN-16': ['should', '#content-negotiation-servers', 'A server with extensions or profiles varies by Accept.'],
  'DS-1': ['must', '#document-structure', 'A document is JSON in UTF-8.'],
  'DS-2': ['must', '#document-top-level', 'A document is an object.'],
  'DS-3': ['must', '#document-structure', 'Objects have only the members that are defined for them.'],
  'DS-5': ['must', '#document-top-level', 'A document has data, errors, meta or a member of an extension.'],
  'DS-6': ['must', '#document-top-level', 'data and errors are never together.'],
  'DS-7': ['must', '#document-top-level', 'included is never without data.'],
  'DS-9': ['must', '#document-top-level', 'The links of a document are those that are defined for it.'],
  'DS-10': ['should', '#document-top-level', 'With an ext or profile, self of the document has its media type.'],
  'DS-11': ['should', '#document-top-level', 'self of a document leads to the same data.'],
  'DS-13': ['should', '#document-top-level', 'describedby of a document leads to a description.'],
  'DS-14': ['must', '#document-top-level', 'Primary data is null, an object or an array.'],
  'DS-15': ['must', '#document-top-level', 'Primary data that is an array holds objects.'],
  'RO-1': ['must', '#document-resource-objects', 'A resource object has type and id.'],
  'RO-3': ['must', '#document-resource-objects', 'A resource object has only the members defined for it.'],
  'RO-4': ['must', '#document-resource-object-identification', 'type, id and lid are strings.'],
  'RO-5': ['must', '#document-resource-object-identification', 'A resource has the same self wherever it is shown.'],
  'RO-6': ['must', '#document-resource-object-identification', 'A type is a legal member name.'],
  'RO-7': [
    'must',
    '#document-resource-object-fields',
    'Attributes and relationships have different names, none of them type or id.',
  ],
  'RO-8': ['must', '#document-resource-object-attributes', 'attributes is an object.'],
  'RO-11': ['must', '#document-resource-object-relationships', 'relationships is an object of objects.'],
  'RO-12': [
    'must',
    '#document-resource-object-relationships',
    'A relationship has data, meta, or links with self or related.',
  ],
  'RO-15': [
    'must',
    '#document-resource-object-related-resource-links',
    'A related link is a URL, even if the relationship is empty.',
  ],
  'RO-17': ['must', '#document-resource-object-linkage', 'Linkage is null, an identifier or an array of them.'],
  'RO-18': ['must', '#document-resource-object-links', 'self of a resource object leads to that resource.'],
  'RI-1': ['must', '#document-resource-identifier-objects', 'An identifier has type and id.'],
  'RI-2': ['must', '#document-resource-identifier-objects', 'type, id and lid of an identifier are strings.'],
  'RI-3': ['must', '#document-resource-identifier-objects', 'An identifier has type, id, lid and meta only.'],
  'CD-1': ['must', '#document-compound-documents', 'included is an array of resource objects.'],
  'CD-2': ['must', '#document-compound-documents', 'Linkage leads from data to every included resource.'],
  'CD-4': ['must', '#document-compound-documents', 'A document has one resource object of each resource.'],
  'ME-1': ['must', '#document-meta', 'meta is an object.'],
  'LK-1': ['must', '#document-links', 'links is an object.'],
  'LK-2': ['must', '#document-links', 'A link is a URI reference, a link object or null.'],
  'LK-3': ['must', '#document-links-link-object', 'A link object has an href, which is a URI reference.'],
  'LK-4': ['must', '#document-links-link-object', 'rel is a link relation type.'],
  'LK-5': ['must', '#document-links-link-object', 'describedby of a link object is a link.'],
  'LK-6': ['must', '#document-links-link-object', 'title is a string, and type a media type.'],
  'LK-7': ['must', '#document-links-link-object', 'hreflang is a language tag or an array of them.'],
  'LK-8': ['must', '#document-links-link-object', 'A link object has only the members defined for it.'],
  'JA-1': ['must', '#document-jsonapi-object', 'jsonapi is an object of version, ext, profile and meta.'],
  'JA-2': ['must', '#document-jsonapi-object', 'version is a string such as 1.1.'],
  'JA-3': ['must', '#document-jsonapi-object', 'ext and profile are arrays of the URIs in Content-Type.'],
  'MN-2': ['must', '#document-member-names', 'A member name has at least one character.'],
  'MN-3': ['must', '#document-member-names-allowed-characters', 'A member name contains no lone surrogate.'],
  'MN-4': ['must', '#document-member-names', 'A member name neither starts nor ends with -, _ or a space.'],
  'MN-5': ['recommended', '#document-member-names', 'A member name can stand in a URL as it is.'],
  'MN-6': ['must', '#document-member-names-reserved-characters', 'A member name has no reserved characters.'],
  'FR-1': [
    'must',
    '#fetching-resources',
    'self and related lead to the document, resource or relationship that they name.',
  ],
  'FR-2': ['must', '#fetching-resources-responses-200', 'A successful GET returns 200 with a document.'],
  'FL-1': ['must', '#fetching-relationships', 'self of a relationship leads to its linkage.'],
  'IN-4': ['must', '#fetching-includes', 'If include is sent, the document has included.'],
  'IN-5': ['must', '#fetching-includes', 'included contains only resources that include requests.'],
  'SF-1': ['must', '#fetching-sparse-fieldsets', 'A resource object has no attributes outside its fieldset.'],
  'SF-2': ['must', '#fetching-sparse-fieldsets', 'A resource object has no relationships outside its fieldset.'],
  'SF-5': ['must', '#fetching-sparse-fieldsets', 'Fieldsets apply to included resources too.'],
  'PG-3': ['must', '#fetching-pagination', 'Page links stand beside the collection that they page.'],
  'PG-4': ['must', '#fetching-pagination', 'Page links are first, last, prev and next.'],
  'PG-6': ['must', '#fetching-pagination', 'prev of the next page leads back to this page.'],
  'PG-9': ['must', '#fetching-pagination', 'Pages end with the last page, and contain no resource twice.'],
  'PG-10': ['must', '#document-links', 'Page links lead to pages.'],
  'QP-9': ['must', '#appendix-query-details-parsing', 'Query strings of links are encoded as forms are.'],
  'CR-7': ['must', '#crud-creating-responses-201', '201 has a document.'],
  'CR-8': ['should', '#crud-creating-responses-201', '201 has a Location.'],
  'CR-9': ['must', '#crud-creating-responses-201', 'self of a new resource is its Location.'],
  'UP-12': [
    'must',
    '#crud-updating-responses-204',
    'A write that returns 200 has a document; without one it returns 204.',
  ],
  'ER-2': ['should', '#errors-processing', 'The status of the response suits those of its errors.'],
  'ER-3': ['must', '#error-objects', 'A document of 4xx or 5xx has an array of errors.'],
  'ER-4': ['must', '#error-objects', 'An error object has at least one member.'],
  'ER-5': ['must', '#error-objects', 'An error object has only the members defined for it.'],
  'ER-6': ['must', '#error-objects', 'status of an error is the HTTP status, as a string.'],
  'ER-7': ['must', '#error-objects', 'code of an error is a string.'],
  'ER-9': ['must', '#error-objects', 'title and detail of an error are strings.'],
  'ER-10': ['must', '#error-objects', 'id of an error is a unique string.'],
  'ER-11': ['should', '#error-objects', 'source has one of pointer, parameter and header.'],
  'ER-12': ['must', '#error-objects', 'pointer leads to a value in the request document.'],
  'ER-13': ['must', '#error-objects', 'parameter is the name of a query parameter.'],
  'ER-14': ['must', '#error-objects', 'header is the name of one request header.'],
  'ER-15': ['must', '#error-objects', 'The links of an error are about and type.'],
  'ER-17': ['must', '#document-top-level', 'A document with errors has no included.'],
  'HT-1': ['must', `${HTTP}section-9.3.2`, 'HEAD returns the headers of GET, without a body.'],
  'HT-2': ['must', `${HTTP}section-15.5.6`, '405 has the header Allow.'],
  'HT-4': ['must', `${HTTP}section-15.3.5`, '204 and 304 have no body.'],
  'RC-1': ['recommended', `${ADVICE}naming`, 'Member names are in camel case.'],
  'RC-4': ['recommended', `${ADVICE}including-links`, 'Documents, resource objects and relationships have links.'],
  'RC-6': ['recommended', `${ADVICE}date-and-time-fields`, 'Dates are in the format of ISO 8601.'],
  'AO-4': ['must', `${ATOMIC}document-structure`, 'Results have neither data nor included beside them.'],
  'AO-5': ['must', `${ATOMIC}document-structure`, 'A response has results, not operations.'],
  'AO-7': ['must', `${ATOMIC}document-structure`, 'Results have no errors beside them.'],
  'AO-14': ['must', `${ATOMIC}result-objects`, 'A result is an object of data and meta.'],
  'AO-18': ['must', `${ATOMIC}processing`, 'A response with results has the status 200.'],
  'AO-19': ['must', `${ATOMIC}processing`, 'There is one result for each operation.'],
  'CP-1': ['must', '#content-negotiation-all', 'Members of the profile need the profile in Content-Type.'],
  'CP-18': ['must', CURSORS, 'rangeTruncated is true or false.'],
  'CP-19': ['must', CURSORS, 'page of a meta object is an object.'],
  'CP-20': ['must', CURSORS, 'A cursor is a string.'],
  'CP-21': ['must', CURSORS, 'Pages have prev and next both, null where there is none.'],
  'CP-26': ['must', CURSORS, 'total is an integer, as is bestGuess of estimatedTotal.'],
  'CP-27': ['must', CURSORS, 'The error for an unsupported sort names the parameter sort.'],
  'CP-28': ['must', CURSORS, 'The error for a page that is too large names page[size] and maxSize.'],
  'CP-30': ['must', CURSORS, 'An unsupported range returns 400.'],
} as const satisfies Readonly<Record<string, readonly [level: RequirementLevel, section: string, text: string]>>

/** The ids of docs/reference/requirements.md. */
export type RequirementId = keyof typeof TABLE

/** The requirements that `lintExchange` checks, by id. */
export const REQUIREMENTS = Object.fromEntries(
  Object.entries(TABLE).map(([id, [level, section, text]]) => [
    id,
    { level, section: section.startsWith('#') ? FORMAT + section : section, text },
  ]),
) as Readonly<Record<RequirementId, SpecificationRequirement>>
