import { collectErrors } from '../errors/json-api-error'
import type { Options } from '../graph/options/options'
import { readName, splitPairs } from './parameters/parameters'
import { notAllowed } from './parameters/parse-part'

/** For endpoints that take no parameters: they answer with no document that any could shape. */
export function assertNoParameters(
  queryString: string,
  { unknownParameters }: Pick<Options, 'unknownParameters'>,
): void {
  collectErrors(splitPairs(queryString), (pair) => {
    const parameter = readName(pair, unknownParameters, () => '')
    if (parameter !== undefined) throw notAllowed(parameter)
  })
}
