import type { TestServer } from './server'

// Request documents. Members that are undefined are not sent.

/** A resource object: `resource('men', '1', { name: 'Adam' })`. */
export function resource(type: string, id: string | undefined, attributes?: object, relationships?: object) {
  return { data: { type, id, attributes, relationships } }
}

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

type Sender = Pick<TestServer, 'post' | 'patch'>

/** Creates a resource at the endpoint of its type. */
export function createResource(api: Sender, type: string, attributes?: object, relationships?: object, id?: string) {
  return api.post(`/${type}`).send(newResource(type, attributes, relationships, id))
}

/** Updates a resource at the endpoint of its type. */
export function updateResource(api: Sender, type: string, id: string, attributes?: object, relationships?: object) {
  return api.patch(`/${type}/${id}`).send(resource(type, id, attributes, relationships))
}
