// Tests that are not on every database, or are skipped on some, by `file › name`, and why. Beside the tests it says the same.
exports.DIFFERENCES = [
  {
    tests: /^test\/writing\/values\.test\.ts › \w+ (takes|refuses) /,
    why: 'each database has column types of its own, and limits of its own for those that all have',
  },
  {
    tests: /^test\/store\/values\.test\.ts › values › of \w+ /,
    why: 'each database has column types of its own',
  },
  {
    tests: /^test\/reading\/unusual-columns\.test\.ts › \w+, a column of the type /,
    why: 'each database has column types of its own that documents show as text',
  },
  {
    tests: /^test\/writing\/constraints\.test\.ts › a number that a client sends › can not be -?\d+$/,
    why: 'on SQLite integers are as large as a number of JSON',
  },
  {
    tests: /^test\/writing\/constraints\.test\.ts › a value that only the database can look at › /,
    why: 'only PostgreSQL has types whose values nobody else can judge',
  },
  {
    tests: /^test\/store\/database-errors\.test\.ts › .* › says when a value is too long or too large$/,
    why: 'SQLite keeps texts of any length and numbers of any size',
  },
  {
    tests: /^test\/spec\/cursor-pagination\/walks\.test\.ts › statements › find a page by -?\w+ in an index$/,
    why: 'only SQLite tells its plan whatever is in the tables',
  },
  {
    tests: /^test\/start-up-warnings\.test\.ts › what is wanted is what statements look for: /,
    why: 'only SQLite tells its plan whatever is in the tables',
  },
  {
    tests: /^test\/store\/separate-details\.test\.ts › .* › a column that several tables have is of one type$/,
    why: 'only PostgreSQL has types for lists of words',
  },
  {
    tests: /^test\/writing\/table-layouts\.test\.ts › an integer that SQLite makes up /,
    why: 'elsewhere a key that nobody gives is a mistake',
  },
  {
    tests: /^test\/reading\/same-documents\.test\.ts › sorts by code, /,
    why: 'MariaDB has an order of its own for UUIDs',
  },
  {
    tests: /^test\/scale-out\/processes\.test\.ts › /,
    why: 'SQLite has one writer, on one machine',
  },
  {
    tests:
      /^test\/store\/connections\.test\.ts › (replicas|pools|a statement that takes longer than the DataSource lets it) › /,
    why: 'SQLite has files in place of servers: no replicas, no pool, no limit for a statement',
  },
  {
    tests: /^test\/node-http\/given-up\.test\.ts › who waits for a connection until the time is over › /,
    why: 'SQLite has no pool of connections to wait for',
  },
  {
    tests: /^test\/node-http\/stuck-lists\.test\.ts › a long list › /,
    why: 'PostgreSQL alone reads a long list from its pool while it is sent',
  },
  {
    tests: /^test\/(properties\/writes|store\/read-long|writing\/concurrency)\.test\.ts › in a file of SQLite › /,
    why: 'a server has no file that a process opens',
  },
  {
    tests:
      /^test\/store\/transactions\.test\.ts › (the one connection of SQLite|a file that two connections write to) › /,
    why: 'a server gives each transaction a connection of its own',
  },
  {
    tests:
      /^test\/store\/(driver-statements\.test\.ts › better-sqlite3|named-statements\.test\.ts › .*named statements?.*) › /,
    why: 'it is about how a driver keeps its statements prepared',
  },
  {
    tests: /^test\/properties\/moments\.test\.ts › moments › /,
    why: 'the drivers of servers give dates, where those of SQLite give text',
  },
  {
    tests: /^test\/store\/sqlite-readers\.test\.ts › /,
    why: 'a server gives each transaction a connection of its own; only better-sqlite3 has the option to prepare one',
  },
  {
    tests: /^test\/writing\/retries\.test\.ts › a file that another program writes to › /,
    why: 'only SQLite can be locked by another program as a whole',
  },
  {
    tests:
      /^test\/(store\/transactions|writing\/retries)\.test\.ts › two (transactions|writes) that wait for each other › /,
    why: 'SQLite has one writer',
  },
  {
    tests: /^test\/writing\/constraints\.test\.ts › a constraint that is deferred to the end of the transaction › /,
    why: 'MariaDB has no such constraints',
  },
  {
    tests:
      /^test\/graph\/check-graph\.test\.ts › in a hierarchy › (rows must be in|a resource in between must be|siblings must) /,
    why: 'where each class has a table siblings share no columns, and all of the tables belong together',
  },
  {
    tests: /^test\/reading\/embedded-in-hierarchy\.test\.ts › siblings › are (refused|told of) at start-up /,
    why: 'where each class has a table siblings share no columns',
  },
  {
    tests:
      /^test\/(graph\/describe-entities|store\/build-mapping)\.test\.ts › .* › (gives each class its own and inherited columns,|has one table for all types of a hierarchy,) /,
    why: 'tables per concrete type have no column that tells the type of a row',
  },
  {
    tests: /^test\/node-http\/duration\.test\.ts › other things that never return › (a statement|a read and a write)/,
    why: 'on SQLite a statement runs in the process, and one write waits for the other before it begins',
  },
  {
    tests: /^test\/store\/outages\.test\.ts › /,
    why: 'connections to a server can be ended, a file can be full; only PostgreSQL breaks off a commit from within',
  },
  {
    tests: /^test\/examples\/humans\.test\.ts › the family › is there once, /,
    why: 'the example fills a single table',
  },
]
