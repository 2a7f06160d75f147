/**
 * The rules that were found in JsonApiDotNetCore for operations, by their numbers. R: requests and their answers, L: local ids, HO:
 * hierarchies. Each has a test in this folder that is named by it, or a reason in `left-out.ts`.
 */
export const OPERATION_RULES: readonly string[] = [...rules('R', 32), ...rules('L', 7), ...rules('HO', 8)]

function rules(area: string, last: number): readonly string[] {
  return Array.from({ length: last }, (_, index) => `${area}-${String(index + 1).padStart(2, '0')}`)
}
