import { JsonApiError, ResourceDefinition, type ResourceWrite } from 'stemma'
import { type Client, unauthorized } from '../authentication'

/** The rule of all types: everyone reads, and only editors write. */
export abstract class EditorsOnly<Resource extends object> extends ResourceDefinition<Resource, Client> {
  override beforeWrite({ context: { name, roles } }: ResourceWrite<Resource, Client>): void {
    if (name === undefined) throw unauthorized('Sign in to write.')
    if (!roles.includes('editor')) throw new JsonApiError({ status: 403, title: 'Only editors write.' })
  }
}
