// Clients without types of their own: what the tests use of them.

declare module 'devour-client' {
  interface Answer {
    // biome-ignore lint/suspicious/noExplicitAny: what a client makes of a document has the shape that its models give it
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
  export class Deserializer {
    constructor(options: object)
    // biome-ignore lint/suspicious/noExplicitAny: what a client makes of a document has the shape that its options give it
    deserialize(document: object): Promise<any>
  }
}

declare module 'json-api-normalizer' {
  // biome-ignore lint/style/noDefaultExport: it is so there
  export default function normalize(document: object, options?: object): Record<string, Record<string, never>>
}
