/** Returns the options that are not `undefined`, which would replace defaults. */
export function givenOptions<Options extends object>(options: Options | undefined): Partial<Options> {
  return Object.fromEntries(
    Object.entries({ ...options }).filter(([, value]) => value !== undefined),
  ) as Partial<Options>
}
