import type {
  FieldInfo,
  OpenApiBody,
  OpenApiDocument,
  OpenApiOperation,
  OpenApiParameter,
  OpenApiSchema,
  OpenApiSecurityScheme,
  TypeInfo,
} from './api-types'
import { JSON_API_MEDIA_TYPE } from './requests'

/** The content of the OpenAPI document, in terms of JSON:API. */
export class ExplorerApiModel {
  readonly types: ReadonlyMap<string, TypeInfo>
  readonly #openApi: OpenApiDocument

  constructor(openApi: OpenApiDocument) {
    this.#openApi = openApi
    this.types = new Map(openApi.tags.flatMap((tag) => this.#toType(tag)).map((type) => [type.name, type]))
  }

  get info(): OpenApiDocument['info'] {
    return this.#openApi.info
  }

  /** Types without a base type. */
  get roots(): readonly TypeInfo[] {
    return [...this.types.values()].filter(({ base }) => base === undefined)
  }

  /** Returns a type and all types derived from it. */
  withDerived(name: string): readonly TypeInfo[] {
    const type = this.types.get(name)
    return type === undefined ? [] : [type, ...type.derived.flatMap((each) => this.withDerived(each))]
  }

  /** Returns the stored types of a type. */
  storedTypes(name: string): readonly TypeInfo[] {
    return this.withDerived(name).filter(({ isAbstract }) => !isAbstract)
  }

  /** Returns the fields of a type, inherited ones, and those of derived types. */
  fieldsAt(name: string): readonly FieldInfo[] {
    return uniqueByName(this.withDerived(name).flatMap(({ fields }) => fields))
  }

  /** Returns the place of a type in the description. */
  indexOf(type: string): number {
    return [...this.types.keys()].indexOf(type)
  }

  /** Returns a field of a type or of its derived types. */
  fieldAt(type: string, name: string): FieldInfo | undefined {
    return this.fieldsAt(type).find((field) => field.name === name)
  }

  /** Returns the types that declare a field of this name: the type itself, or types derived from it. */
  ownersOf(type: string, name: string): readonly FieldOwner[] {
    const own = this.types.get(type)?.fields.find((field) => field.name === name)
    if (own !== undefined) return [{ type, field: own }]
    return this.withDerived(type).flatMap((each) =>
      each.fields.flatMap((field) => (field.isOwn && field.name === name ? [{ type: each.name, field }] : [])),
    )
  }

  /** Returns the names of fields in sort keys. A name that several derived types declare begins with one of them: `men:age`. */
  sortNamesAt(type: string, fits: (field: FieldInfo) => boolean): readonly string[] {
    return this.fieldsAt(type).flatMap(({ name }) => {
      const owners = this.ownersOf(type, name)
      const fitting = owners.filter(({ field }) => fits(field))
      return fitting.map((owner) => (owners.length > 1 ? `${owner.type}:${name}` : name))
    })
  }

  /**
   * Returns an operation; `undefined` if it is disabled.
   *
   * `operation('get', 'men', '{id}')`
   */
  operation(method: string, ...segments: readonly string[]): OpenApiOperation | undefined {
    const path = `/${segments.map((each) => (each === '{id}' ? each : encodeURIComponent(each))).join('/')}`
    return Object.hasOwn(this.#openApi.paths, path) ? this.#openApi.paths[path]?.[method] : undefined
  }

  /** Returns the query parameters of an endpoint by name. */
  parametersOf(operation: OpenApiOperation | undefined): ReadonlyMap<string, OpenApiParameter> {
    const all = (operation?.parameters ?? []).flatMap((each) => this.resolve(each) ?? [])
    return new Map(all.map((each) => [each.name, each]))
  }

  /** Returns the schema of the request body for each type that it may have. */
  bodiesOf(operation: OpenApiOperation | undefined): ReadonlyMap<string, OpenApiSchema> {
    return this.#choices(dataOf(this.resolve(schemaOf(operation?.requestBody))))
  }

  /** Returns the ways to authenticate, by name. */
  get securitySchemes(): ReadonlyMap<string, OpenApiSecurityScheme> {
    const schemes: Readonly<Record<string, OpenApiSecurityScheme>> = this.#openApi.components?.securitySchemes ?? {}
    return new Map(Object.entries(schemes).map(([name, scheme]) => [name, this.resolve(scheme) ?? scheme]))
  }

  /** Returns the name in the URL of the endpoint for atomic operations; `undefined` if it is disabled. */
  get operationsPath(): string | undefined {
    const { paths } = this.#openApi
    const path = Object.keys(paths).find((each) => paths[each]?.post?.operationId === 'performOperations')
    return path === undefined ? undefined : decodeURIComponent(path.slice(1))
  }

  /** Follows `$ref`. */
  resolve<Part extends { readonly $ref?: string }>(part: Part | undefined): Part | undefined {
    if (part?.$ref === undefined) return part
    const [, , section = '', name = ''] = part.$ref
      .split('/')
      .map((each) => each.replaceAll('~1', '/').replaceAll('~0', '~'))
    return this.resolve<Part>(this.#openApi.components?.[section]?.[name])
  }

  #choices(schema: OpenApiSchema | undefined): ReadonlyMap<string, OpenApiSchema> {
    const resolved = this.resolve(schema)
    if (resolved === undefined) return new Map()
    if (resolved.oneOf !== undefined) return new Map(resolved.oneOf.flatMap((each) => [...this.#choices(each)]))
    const name = resolved.properties?.type?.const
    return typeof name === 'string' ? new Map([[name, resolved]]) : new Map()
  }

  #toType({ name, description, 'x-resource-type': resourceType }: OpenApiDocument['tags'][number]): TypeInfo[] {
    if (resourceType === undefined) return []
    const { tags } = this.#openApi
    const base = tags.find((each) => each.name === resourceType.base)
    const inherited = new Set(base?.['x-resource-type']?.fields.map((each) => each.name))
    const schemas = this.#schemasAt(name)
    const type = {
      name,
      description,
      base: resourceType.base,
      isAbstract: resourceType.abstract,
      derived: tags.filter((each) => each['x-resource-type']?.base === name).map((each) => each.name),
      fields: resourceType.fields.map((field) => ({
        ...field,
        target: field.target,
        description: field.description,
        schema: this.#fieldSchema(field, schemas),
        isOwn: !inherited.has(field.name),
      })),
    }
    return [type]
  }

  /** Returns the schemas of a type in responses and requests. */
  #schemasAt(name: string): readonly OpenApiSchema[] {
    const collection = this.resolve(schemaOf(this.operation('get', name)?.responses?.['200']))
    const one = this.resolve(schemaOf(this.operation('get', name, '{id}')?.responses?.['200']))
    const read = [this.#choices(dataOf(collection)?.items), this.#choices(dataOf(one))]
    const sent = [this.operation('post', name), this.operation('patch', name, '{id}')]
    return [...read, ...sent.map((each) => this.bodiesOf(each))].flatMap((each) => [...each.values()])
  }

  #fieldSchema({ name, kind }: Pick<FieldInfo, 'name' | 'kind'>, schemas: readonly OpenApiSchema[]): OpenApiSchema {
    const section = kind === 'attribute' ? 'attributes' : 'relationships'
    const found = schemas.flatMap(({ properties }) => this.resolve(properties?.[section]?.properties?.[name]) ?? [])
    // Request schemas have more limits, such as the maximum length. Response schemas have the precise type.
    const merged: OpenApiSchema = Object.assign({}, ...found.toReversed())
    return kind === 'attribute' ? merged : (this.resolve(merged.properties?.data) ?? {})
  }
}

interface FieldOwner {
  readonly type: string
  readonly field: FieldInfo
}

/** Keeps the first field of each name. */
export function uniqueByName(fields: readonly FieldInfo[]): readonly FieldInfo[] {
  const names = fields.map(({ name }) => name)
  return fields.filter(({ name }, index) => names.indexOf(name) === index)
}

function schemaOf(content: OpenApiBody | undefined): OpenApiSchema | undefined {
  return content?.content?.[JSON_API_MEDIA_TYPE]?.schema
}

function dataOf(schema: OpenApiSchema | undefined): OpenApiSchema | undefined {
  return schema?.properties?.data
}
