/** Rules that have no test here, by number, each with its reason: something of ours overrules it, or it is about that library's inside. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  'R-23': 'There is one store, and it has transactions.',
  'R-24': 'There is one store, and all of a request is in one of its transactions.',
  'R-26': 'There is one endpoint for operations. Two APIs with different options can be mounted under two paths.',
  'R-32': 'TypeORM logs statements; a log of calls within the library would be about its inside.',
  'HO-07': 'About its inside: no service stands for a type; the stored type decides.',
  'HO-08': 'About an extension for OpenAPI, which is not known here.',
}
