/**
 * The catalogue of the observable behaviour of JsonApiDotNetCore, by id: `R/F-02` for reads, `W/A-17` for writes, `O/R-23` for operations. Tests
 * have an id in a column of their table, or in a comment `anchor: R/F-02`.
 */
export const ANCHOR_RULES: readonly string[] = [
  ...rules('R', {
    ...{ A: 28, B: 14, F: 33, D: 15, S: 11, I: 13, P: 22, L: 10, M: 6, J: 7, H: 5, C: 10, N: 5, O: 11 },
    R: [
      [1, 14],
      [20, 26],
      [30, 40],
      [50, 54],
      [60, 72],
      [80, 87],
      [90, 91],
      [95, 97],
    ],
  }),
  ...rules('W', {
    ...{ A: 18, B: 17, C: 11, D: 13, E: 10, F: 9, G: 11, H: 5, I: 8, J: 4, K: 6, L: 6, M: 5, N: 6, O: 8, P: 12 },
    ...{ Q: 6, S: 3, T: 6, U: 5, V: 9, W: 1, HP: 18, HR: 21, HL: 5, HD: 4, X: 8 },
  }),
  ...rules('O', { R: 32, L: 7, HO: 8 }),
]

/** Rules without a test, each with its reason. */
export const WITHOUT_TEST: Readonly<Record<string, string>> = {
  'R/P-21': 'A page number above 1 without a size is refused (docs/internals/decisions/009-pagination-and-linkage.md).',
  'W/A-17': 'It concerns a framework that validates before the library; Express does not.',
  'W/O-04': 'The database decides what is required; this cannot be switched off.',
  'W/P-04': 'Validators see attributes; an id is checked against the type of its key.',
  'W/P-07': 'All errors are reported, without a limit.',
  'W/P-10': 'There is no option: without a declaration nothing is validated.',
  'W/S-03': 'A client that has closed its connection cannot observe the response.',
  'W/T-06': 'Rules get their dependencies from their constructors; only TypeORM constructs resources.',
  'W/U-04': 'TypeORM logs statements; a log of internal calls is an implementation detail.',
  'W/U-05': 'There are no controllers that could return other results.',
  'W/W-01': 'All tests run on SQLite, PostgreSQL and MariaDB; other tests count statements.',
  'O/R-23': 'There is one store, and it has transactions.',
  'O/R-24': 'There is one store, and a request uses one of its transactions.',
  'O/R-26': 'There is one endpoint for operations; two APIs with different options can be mounted under two paths.',
  'O/R-32': 'TypeORM logs statements; a log of internal calls is an implementation detail.',
  'O/HO-07': 'Types have no services; the stored type decides.',
  'O/HO-08': 'It concerns an OpenAPI extension that is not supported.',
}

type Ranges = Readonly<Record<string, number | readonly (readonly [first: number, last: number])[]>>

function rules(catalogue: string, areas: Ranges): readonly string[] {
  return Object.entries(areas).flatMap(([area, ranges]) =>
    (typeof ranges === 'number' ? [[1, ranges] as const] : ranges).flatMap(([first, last]) =>
      Array.from({ length: last - first + 1 }, (_, index) => {
        return `${catalogue}/${area}-${String(first + index).padStart(2, '0')}`
      }),
    ),
  )
}
