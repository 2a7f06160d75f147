// Request documents. Members that are undefined are not sent.

/** A resource object: `resource('men', '1', { name: 'Adam' })`. */
export function resource(type: string, id: string | undefined, attributes?: object, relationships?: object) {
  return { data: { type, id, attributes, relationships } }
}

/** A resource object that is created. */
export function newResource(type: string, attributes?: object, relationships?: object, id?: string) {
  return resource(type, id, attributes, relationships)
}

/** The linkage of a to-one relationship. */
export function toOne(type: string, id: string | null) {
  return { data: id === null ? null : { type, id } }
}

/** The linkage of a to-many relationship. */
export function toMany(type: string, ...ids: readonly string[]) {
  return { data: ids.map((id) => ({ type, id })) }
}
