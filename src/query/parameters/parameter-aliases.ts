import { suggestName } from '../../errors/nearest-name'

/** The name that was meant, in quotes behind a message: what other servers call by this name, or the most similar one. */
export function suggestParameter(name: string, known: readonly string[]): string {
  const meant = PARAMETER_ALIASES.get(name.toLowerCase().replaceAll(/[_-]/g, ''))
  return meant === undefined ? suggestName(name, known) : ` Did you mean '${meant}'?`
}

/** Without regard to case and to what joins words. */
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
