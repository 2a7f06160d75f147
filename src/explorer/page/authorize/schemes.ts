import type { OpenApiSecurityScheme } from '../core/api-types'
import type { ExplorerApiModel } from '../core/explorer-api-model'

/** A way to authenticate, as a form. */
export type AuthenticationScheme =
  | { readonly kind: 'bearer' | 'basic'; readonly name: string; readonly hint: string }
  | {
      readonly kind: 'key'
      readonly name: string
      readonly hint: string
      readonly in: 'header' | 'query'
      readonly parameter: string
    }
  | { readonly kind: 'explained'; readonly name: string; readonly hint: string }

/** Returns the ways that the API documents. Without any, returns common ones. */
export function listDocumentedOrCommonAuthSchemes(
  model: ExplorerApiModel | undefined,
): readonly AuthenticationScheme[] {
  const documented = [...(model?.securitySchemes ?? [])].map(([name, scheme]) => toScheme(name, scheme))
  return documented.length === 0 ? COMMON_AUTHENTICATION_SCHEMES : documented
}

export const COMMON_AUTHENTICATION_SCHEMES: readonly AuthenticationScheme[] = [
  { kind: 'bearer', name: 'Bearer token', hint: 'An access token, such as a JWT.' },
  { kind: 'basic', name: 'Basic', hint: 'A user name and a password.' },
]

function toScheme(name: string, scheme: OpenApiSecurityScheme): AuthenticationScheme {
  const described = (hint: string) => [scheme.description, hint].filter((text) => text !== undefined).join(' ')
  switch (scheme.type) {
    case 'http':
      return toHttpScheme(name, scheme, described)
    case 'apiKey':
      return toKeyScheme(name, scheme, described)
    case 'oauth2':
    case 'openIdConnect':
      return {
        kind: 'bearer',
        name,
        hint: described('Get an access token from the authorization server, and enter it here.'),
      }
    case 'mutualTLS':
      return { kind: 'explained', name, hint: described('The browser sends the certificate. Install it there.') }
    default:
      return { kind: 'explained', name, hint: described('If it is sent as a header, enter it below.') }
  }
}

type Describe = (hint: string) => string

function toHttpScheme(name: string, { scheme = '' }: OpenApiSecurityScheme, described: Describe): AuthenticationScheme {
  const kind = scheme.toLowerCase()
  if (kind === 'bearer') return { kind, name, hint: described('Sent as Authorization: Bearer …') }
  if (kind === 'basic') return { kind, name, hint: described('Sent as Authorization: Basic …') }
  const hint = `The page does not know the scheme ${scheme}. Enter the header Authorization below.`
  return { kind: 'explained', name, hint: described(hint) }
}

function toKeyScheme(name: string, scheme: OpenApiSecurityScheme, described: Describe): AuthenticationScheme {
  const parameter = scheme.name ?? ''
  if (scheme.in === 'header') {
    return { kind: 'key', name, in: 'header', parameter, hint: described(`Sent in the header ${parameter}.`) }
  }
  if (scheme.in === 'query') {
    const hint = `Sent in the query parameter ${parameter}, which servers often write to their logs.`
    return { kind: 'key', name, in: 'query', parameter, hint: described(hint) }
  }
  const hint = `The browser sends the cookie ${parameter} by itself. Sign in to the application in another tab, then load this page again.`
  return { kind: 'explained', name, hint: described(hint) }
}
