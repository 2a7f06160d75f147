import type { Document, JsonApiObject, Link, Links } from '../document/document'
import type { JsonObject } from '../document/json'
import { type MediaTypeParameters, printMediaType } from '../document/media-type'
import { asMember } from './links'

/** What stands at the top of a document, whatever it is about. */
export interface TopLevel {
  /** Extensions and profiles that are applied. */
  readonly applied: MediaTypeParameters
  readonly links: Links
  /** Stands over what the document has itself. */
  readonly meta: JsonObject | undefined
}

/** The same document with what every document of an exchange has. https://jsonapi.org/format/1.1/#document-top-level */
export function completeDocument(document: Document, { applied, links, meta }: TopLevel): Document {
  const { jsonapi, links: own, meta: ownMeta, ...rest } = { links: {}, meta: undefined, ...document }
  const joinedMeta = meta === undefined ? ownMeta : { ...ownMeta, ...meta }
  return {
    jsonapi: toJsonApiObject(jsonapi, applied),
    ...asMember(typed({ ...own, ...links }, applied)),
    ...rest,
    ...(joinedMeta !== undefined && { meta: joinedMeta }),
  } as Document
}

function toJsonApiObject(jsonapi: JsonApiObject, { extensions, profiles }: MediaTypeParameters): JsonApiObject {
  return {
    ...jsonapi,
    ...(extensions.length > 0 && { ext: extensions }),
    ...(profiles.length > 0 && { profile: profiles }),
  }
}

/** What is applied to a document is told by the type of the link to itself. */
function typed(links: Links, applied: MediaTypeParameters): Links {
  if (applied.extensions.length + applied.profiles.length === 0 || links.self === undefined) return links
  return { ...links, self: toLinkObject(links.self, printMediaType(applied)) }
}

function toLinkObject(link: Link, type: string): Link {
  return typeof link === 'string' ? { href: link, type } : link
}
