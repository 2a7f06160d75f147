/** A row of `it.each`: the arguments of the test, and the ids of the requirements that it covers (`R/F-02`). */
export type Row<Cells extends readonly unknown[]> = [...Cells, ...rules: string[]]
