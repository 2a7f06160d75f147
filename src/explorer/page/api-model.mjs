/** @import { ExplorerOpenApiContent, FieldInfo, ExplorerOpenApiDocument, ExplorerOpenApiOperation, ExplorerOpenApiParameter, TypeInfo, ExplorerOpenApiSchema } from './types' */
import { toApiPath } from './api-url.mjs'
import { JSON_API_MEDIA_TYPE } from './requests.mjs'

/** The content of the OpenAPI document, in terms of JSON:API. */
export class ApiModel {
  /** @readonly @type {ReadonlyMap<string, TypeInfo>} */
  types
  /** @readonly @type {ExplorerOpenApiDocument} */
  #openApi

  /** @param {ExplorerOpenApiDocument} openApi */
  constructor(openApi) {
    this.#openApi = openApi
    this.types = new Map(openApi.tags.map((tag) => [tag.name, this.#toType(tag)]))
  }

  get info() {
    return this.#openApi.info
  }

  /** Types without a base type. */
  get roots() {
    return [...this.types.values()].filter(({ base }) => base === undefined)
  }

  /**
   * Returns a type and all types derived from it.
   *
   * @param {string} name
   * @returns {readonly TypeInfo[]}
   */
  withDerived(name) {
    const type = this.types.get(name)
    return type === undefined ? [] : [type, ...type.derived.flatMap((each) => this.withDerived(each))]
  }

  /**
   * Returns the fields of a type, inherited ones, and those of derived types.
   *
   * @param {string} name
   * @returns {readonly FieldInfo[]}
   */
  fieldsAt(name) {
    const all = this.withDerived(name).flatMap(({ fields }) => fields)
    return all.filter((field, index) => all.findIndex((each) => each.name === field.name) === index)
  }

  /**
   * @param {string} method In lower case.
   * @param {...string} segments `{id}` stays as it is.
   * @returns {ExplorerOpenApiOperation | undefined} `undefined` if it is disabled.
   */
  operation(method, ...segments) {
    const path = `/${segments.map((each) => (each === '{id}' ? each : encodeURIComponent(each))).join('/')}`
    return Object.hasOwn(this.#openApi.paths, path) ? this.#openApi.paths[path]?.[method] : undefined
  }

  /**
   * Returns the query parameters of an endpoint by name.
   *
   * @param {ExplorerOpenApiOperation | undefined} operation
   * @returns {ReadonlyMap<string, ExplorerOpenApiParameter>}
   */
  parametersOf(operation) {
    const all = (operation?.parameters ?? []).map(
      (each) => /** @type {ExplorerOpenApiParameter} */ (this.resolve(each)),
    )
    return new Map(all.map((each) => [each.name, each]))
  }

  /**
   * Returns the schema of the request body for each type that it may have.
   *
   * @param {ExplorerOpenApiOperation | undefined} operation
   * @returns {ReadonlyMap<string, ExplorerOpenApiSchema>}
   */
  bodiesOf(operation) {
    return this.#choices(dataOf(this.resolve(schemaOf(operation?.requestBody))))
  }

  /**
   * Returns the stored types of a type.
   *
   * @param {string} name
   */
  storedTypes(name) {
    return this.withDerived(name).filter(({ isAbstract }) => !isAbstract)
  }

  /**
   * @template {{ readonly $ref?: string }} Part
   * @param {Part | undefined} part
   * @returns {Part | undefined}
   */
  resolve(part) {
    if (part?.$ref === undefined) return part
    const [, , section = '', name = ''] = part.$ref
      .split('/')
      .map((each) => each.replaceAll('~1', '/').replaceAll('~0', '~'))
    return this.resolve(/** @type {Part | undefined} */ (this.#openApi.components[section]?.[name]))
  }

  /**
   * @param {ExplorerOpenApiSchema | undefined} schema
   * @returns {ReadonlyMap<string, ExplorerOpenApiSchema>}
   */
  #choices(schema) {
    const resolved = this.resolve(schema)
    if (resolved === undefined) return new Map()
    if (resolved.oneOf !== undefined) return new Map(resolved.oneOf.flatMap((each) => [...this.#choices(each)]))
    const name = resolved.properties?.type?.const
    return typeof name === 'string' ? new Map([[name, resolved]]) : new Map()
  }

  /**
   * @param {ExplorerOpenApiDocument['tags'][number]} tag
   * @returns {TypeInfo}
   */
  #toType({ name, description, 'x-resource-type': resourceType }) {
    const { tags } = this.#openApi
    const inherited =
      tags.find((each) => each.name === resourceType.base)?.['x-resource-type'].fields.map((each) => each.name) ?? []
    const schemas = this.#schemasAt(name)
    return {
      name,
      description,
      base: resourceType.base,
      isAbstract: resourceType.abstract,
      derived: tags.filter((each) => each['x-resource-type'].base === name).map((each) => each.name),
      fields: resourceType.fields.map((field) => ({
        ...field,
        target: field.target,
        description: field.description,
        schema: this.#fieldSchema(field, schemas),
        isOwn: !inherited.includes(field.name),
      })),
    }
  }

  /**
   * Returns the schemas of a type in responses and requests.
   *
   * @param {string} name
   * @returns {readonly ExplorerOpenApiSchema[]}
   */
  #schemasAt(name) {
    const get = this.operation('get', name)
    const collection = this.resolve(schemaOf(get?.responses?.['200']))
    const one = this.resolve(schemaOf(this.operation('get', name, '{id}')?.responses?.['200']))
    const sent = [this.operation('post', name), this.operation('patch', name, '{id}')].map((each) =>
      this.bodiesOf(each),
    )
    return [this.#choices(dataOf(collection)?.items), this.#choices(dataOf(one)), ...sent].flatMap((each) => [
      ...each.values(),
    ])
  }

  /**
   * @param {{ readonly name: string, readonly kind: string }} field
   * @param {readonly ExplorerOpenApiSchema[]} schemas
   * @returns {ExplorerOpenApiSchema}
   */
  #fieldSchema({ name, kind }, schemas) {
    const section = kind === 'attribute' ? 'attributes' : 'relationships'
    const found = schemas.flatMap(({ properties }) => this.resolve(properties?.[section]?.properties?.[name]) ?? [])
    // Request schemas have more limits, such as the maximum length. Response schemas have the precise type.
    const merged = /** @type {ExplorerOpenApiSchema} */ (Object.assign({}, ...found.toReversed()))
    return kind === 'attribute' ? merged : (this.resolve(merged.properties?.data) ?? {})
  }
}

/**
 * @param {ExplorerOpenApiContent | undefined} content
 * @returns {ExplorerOpenApiSchema | undefined}
 */
function schemaOf(content) {
  return content?.content?.[JSON_API_MEDIA_TYPE]?.schema
}

/** @param {ExplorerOpenApiSchema | undefined} schema */
function dataOf(schema) {
  return schema?.properties?.data
}

/** @param {ExplorerOpenApiSchema} schema */
export function isNullable({ type, oneOf, enum: values }) {
  return (
    [type].flat().includes('null') ||
    (values ?? []).includes(null) ||
    (oneOf ?? []).some((each) => each.type === 'null')
  )
}

/**
 * Names the type of a value.
 *
 * @param {ExplorerOpenApiSchema} schema
 * @returns {string}
 */
export function formatSchemaType({ type, format, enum: values, maxLength, oneOf, anyOf, const: only }) {
  if (values !== undefined) return values.filter((value) => value !== null).join(' | ')
  if (only !== undefined) return String(only)
  const kinds = [type].flat().filter((each) => each !== undefined && each !== 'null')
  const choices = [...(oneOf ?? []), ...(anyOf ?? [])].filter((each) => each.type !== 'null').map(formatSchemaType)
  const name = format ?? (kinds.length > 0 ? kinds.join(' | ') : [...new Set(choices)].join(' | '))
  return maxLength === undefined ? name || 'any JSON' : `${name}, at most ${maxLength}`
}

/** @param {string} type */
export function collectionUrl(type) {
  return toApiPath(type)
}
