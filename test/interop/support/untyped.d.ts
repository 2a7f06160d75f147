// Declares the members of untyped clients that the tests use.

declare module 'devour-client' {
  interface Answer {
    // biome-ignore lint/suspicious/noExplicitAny: the models of a client determine the result
    data: any
    meta?: unknown
    links?: Record<string, string | null>
  }
  interface Devour {
    define(name: string, fields: Record<string, unknown>, options?: object): void
    find(name: string, id: string, parameters?: object): Promise<Answer>
    findAll(name: string, parameters?: object): Promise<Answer>
    create(name: string, payload: object): Promise<Answer>
    update(name: string, payload: object): Promise<Answer>
    destroy(name: string, id: string): Promise<Answer>
    destroy(payload?: object): Promise<Answer>
    one(name: string, id: string): Devour
    all(name: string): Devour
    relationships(name: string): Devour
    get(parameters?: object): Promise<Answer>
    post(payload: object): Promise<Answer>
    patch(payload: object): Promise<Answer>
  }
  const JsonApi: new (options: object) => Devour
  export = JsonApi
}

declare module 'jsonapi-serializer' {
  export class Serializer {
    constructor(type: string, options: object)
    serialize(resource: object): object
  }
}

declare module 'ra-jsonapi-client' {
  // biome-ignore lint/suspicious/noExplicitAny: a record has the attributes of its resource
  type DataProvider = (type: string, resource: string, parameters: object) => Promise<{ data: any; total?: number }>
  // biome-ignore lint/style/noDefaultExport: the package has a default export
  export default function jsonApiClient(url: string, settings?: object): DataProvider
}

declare module 'redux-json-api' {
  interface Identifier {
    readonly type: string
    readonly id: string
  }
  // biome-ignore lint/suspicious/noExplicitAny: an action of redux-thunk, whose result depends on the action
  type Action = (...given: any[]) => Promise<any>
  // biome-ignore lint/suspicious/noExplicitAny: the state of a store
  type State = any
  export const reducer: (state: State, action: { type: string }) => State
  export function setAxiosConfig(configuration: object): { type: string }
  export function createResource(resource: object): Action
  export function readEndpoint(endpoint: string): Action
  export function updateResource(resource: object): Action
  export function deleteResource(resource: Identifier): Action
  export function readRelated(resource: Identifier, relationship: string): Action
  export function replaceRelationship(resource: Identifier, relationship: string, data: unknown): Action
  export function addRelationship(resource: Identifier, relationship: string, data: unknown): Action
  export function deleteRelationship(resource: Identifier, relationship: string, data: unknown): Action
  export function getResource(state: State, identifier: Identifier): State
}

declare module 'jsonapi-vuex' {
  export function jsonapiModule(api: object, configuration?: object): object
}

/** The package does not export its types. */
declare module 'vuex' {
  export function createStore(options: { readonly modules: object }): {
    // biome-ignore lint/suspicious/noExplicitAny: the result of an action has the fields of a resource
    dispatch(action: string, given: unknown): Promise<any>
  }
}

declare module 'jsonapi-datastore' {
  export class JsonApiDataStoreModel {
    constructor(type: string, id?: string)
    readonly _type: string;
    // biome-ignore lint/suspicious/noExplicitAny: a model has the fields of its resource
    [field: string]: any
    setAttribute(name: string, value: unknown): void
    setRelationship(name: string, model: JsonApiDataStoreModel): void
    serialize(which?: { attributes?: readonly string[]; relationships?: readonly string[] }): object
  }
  export class JsonApiDataStore {
    sync(document: object): JsonApiDataStoreModel[] & JsonApiDataStoreModel
    find(type: string, id: string): JsonApiDataStoreModel
  }
}
