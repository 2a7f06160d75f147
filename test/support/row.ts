/** A row of a table of tests: what the test takes, and the ids of the rules that it shows, if any (`R/F-02`). */
export type Row<Cells extends readonly unknown[]> = [...Cells, ...rules: string[]]
