/**
 * The rules that were found in JsonApiDotNetCore for reading, by their numbers: what each area of it does that a client can see.
 * Each has a test that is named by it, or a reason in `left-out.ts`.
 */
export const READING_RULES: readonly string[] = [
  ...rules('A', 1, 28),
  ...rules('B', 1, 14),
  ...rules('F', 1, 33),
  ...rules('D', 1, 15),
  ...rules('S', 1, 11),
  ...rules('I', 1, 13),
  ...rules('P', 1, 22),
  ...rules('L', 1, 10),
  ...rules('M', 1, 6),
  ...rules('J', 1, 7),
  ...rules('H', 1, 5),
  ...rules('C', 1, 10),
  ...rules('N', 1, 5),
  ...rules('O', 1, 11),
  ...rules('R', 1, 14),
  ...rules('R', 20, 26),
  ...rules('R', 30, 40),
  ...rules('R', 50, 54),
  ...rules('R', 60, 72),
  ...rules('R', 80, 87),
  ...rules('R', 90, 91),
  ...rules('R', 95, 97),
]

function rules(area: string, first: number, last: number): readonly string[] {
  return Array.from({ length: last - first + 1 }, (_, index) => `${area}-${String(first + index).padStart(2, '0')}`)
}
