/** Rules that have no test here, by number, each with its reason: something of ours overrules it, or it is about that library's inside. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  'A-17': 'About a framework that validates before the library does; Express has nothing of the kind.',
  'O-04': 'What is required is required by the database: it can not be switched off.',
  'P-04': 'Validators see attributes; an id is judged by the kind of its key.',
  'P-07': 'All mistakes are told of, however many they are.',
  'P-10': 'There is no switch: where nothing is declared nothing is validated.',
  'S-03': 'Nothing can be observed of an answer that nobody waits for.',
  'T-06': 'Rules are given what they need by their constructors; resources have none that anybody but TypeORM calls.',
  'U-04': 'TypeORM logs statements; a log of calls within the library would be about its inside.',
  'U-05': 'There are no controllers whose results could be anything else.',
  'W-01':
    'All tests run on SQLite, PostgreSQL and MariaDB; the number of statements: test/modules/store/write-statements.test.ts.',
}
