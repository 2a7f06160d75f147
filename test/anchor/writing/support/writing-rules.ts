/**
 * The rules that were found in JsonApiDotNetCore for writing, by their numbers: what each area of it does that a client can see. The areas
 * of hierarchies begin with H: the primary resource, the right side, the left side, what definitions are told. X: the order of hooks.
 * Each has a test in this folder that is named by it, or a reason in `left-out.ts`.
 */
export const WRITING_RULES: readonly string[] = [
  ...rules('A', 18),
  ...rules('B', 17),
  ...rules('C', 11),
  ...rules('D', 13),
  ...rules('E', 10),
  ...rules('F', 9),
  ...rules('G', 11),
  ...rules('H', 5),
  ...rules('I', 8),
  ...rules('J', 4),
  ...rules('K', 6),
  ...rules('L', 6),
  ...rules('M', 5),
  ...rules('N', 6),
  ...rules('O', 8),
  ...rules('P', 12),
  ...rules('Q', 6),
  ...rules('S', 3),
  ...rules('T', 6),
  ...rules('U', 5),
  ...rules('V', 9),
  ...rules('W', 1),
  ...rules('HP', 18),
  ...rules('HR', 21),
  ...rules('HL', 5),
  ...rules('HD', 4),
  ...rules('X', 8),
]

function rules(area: string, last: number): readonly string[] {
  return Array.from({ length: last }, (_, index) => `${area}-${String(index + 1).padStart(2, '0')}`)
}
