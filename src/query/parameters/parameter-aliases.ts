import { suggestName } from '../../errors/nearest-name'

/** Suggests a parameter for an unknown name: the equivalent of another server's parameter, or the most similar name. */
export function suggestParameter(name: string, known: readonly string[]): string {
  const meant = PARAMETER_ALIASES.get(name.toLowerCase().replaceAll(/[_-]/g, ''))
  return meant === undefined ? suggestName(name, known) : ` Did you mean '${meant}'?`
}

/** The names of other servers, in lower case, without `_` and `-`. */
const PARAMETER_ALIASES: ReadonlyMap<string, string> = new Map([
  ['page', 'page[number]'],
  ['offset', 'page[number]'],
  ['page[offset]', 'page[number]'],
  ['limit', 'page[size]'],
  ['perpage', 'page[size]'],
  ['pagesize', 'page[size]'],
  ['page[limit]', 'page[size]'],
  ['page[cursor]', 'page[after]'],
  ['order', 'sort'],
  ['orderby', 'sort'],
  ['sortby', 'sort'],
  ['expand', 'include'],
  ['embed', 'include'],
  ['with', 'include'],
  ['select', 'fields[type]'],
  ['fields', 'fields[type]'],
])
