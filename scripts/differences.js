// Tests that do not exist on every database, or are skipped on some, by `file › name`, with the reason.
exports.DIFFERENCES = [
  {
    tests: /^test\/modules\/store\/column-values\.test\.ts › \w+ (accepts and returns|refuses) /,
    why: 'column types and their limits differ between databases',
  },
  {
    tests:
      /^test\/modules\/store\/unusual-columns\.test\.ts › (the attribute \w+ with a column of the type |\w+ has values that clients cannot write|shows impossible dates as null if mysql2)/,
    why: 'each database has its own column types, which documents show as text',
  },
  {
    tests:
      /^test\/guides\/ids\/(unusual-keys\.test\.ts › a key of \{.*\} › |client-ids\.test\.ts › (returns 422 for counts with the id |a key that PostgreSQL always generates › ))/,
    why: 'each database has its own types of keys, and its own limits of integers',
  },
  {
    tests:
      /^test\/modules\/store\/database-errors\.test\.ts › returns 409 for a value that an exclusion constraint rejects$/,
    why: 'only PostgreSQL has exclusion constraints',
  },
  {
    tests: /^test\/guides\/rules\/hidden-rows\.test\.ts › replaces \w+ that another request has added since$/,
    why: 'SQLite has one writer at a time',
  },
  {
    tests: /^test\/guides\/filtering\/collations\.test\.ts › an attribute with a nondeterministic collation › /,
    why: 'only PostgreSQL has such collations',
  },
  {
    tests:
      /^test\/guides\/operations\/runs\.test\.ts › a run is done one by one › if a (trigger|virtual column) could see /,
    why: 'the SQL of these triggers and columns is that of SQLite',
  },
  {
    tests: /^test\/guides\/validation\/constraints\.test\.ts › a value that only the database validates › /,
    why: 'only PostgreSQL has types whose values the library cannot check',
  },
  {
    tests: /^test\/spec\/cursor-pagination\/page-order\.test\.ts › statements › find a page by -?\w+ in an index$/,
    why: 'only SQLite chooses its query plan independently of the rows',
  },
  {
    tests: /^test\/guides\/configuration\/start-up-warnings\.test\.ts › prevent table scans$/,
    why: 'only SQLite chooses its query plan independently of the rows',
  },
  {
    tests:
      /^test\/modules\/store\/separate-details\.test\.ts › .* › uses one enum type for a column of several tables$/,
    why: 'only PostgreSQL has types for lists of words',
  },
  {
    tests: /^test\/guides\/databases\/same-documents\.test\.ts › sorts by code /,
    why: 'MariaDB sorts UUIDs differently',
  },
  {
    tests:
      /^test\/(modules\/store\/rules-of-bases\.test\.ts › rows of tables that are|guides\/databases\/column-settings\.test\.ts › a virtual column .* in) tablePerConcreteClass /,
    why: 'the driver sqlite3 has no user-defined functions, which stand for the sequence that the tables of concrete classes share',
  },
  {
    tests: /^test\/modules\/store\/connections\.test\.ts › (replication|a statement timeout of the database) › /,
    why: 'SQLite has files in place of servers: no replicas, no pool, no limit for a statement',
  },
  {
    tests:
      /^test\/modules\/node-http\/slow-readers\.test\.ts › a list (that gets no connection|whose next rows come too late)/,
    why: 'PostgreSQL alone reads a long list from its pool while it is sent',
  },
  {
    tests:
      /^test\/(properties\/writes|modules\/store\/read-long|guides\/concurrency\/concurrent-writes)\.test\.ts › in (a file of SQLite|an SQLite file) › /,
    why: 'a server has no file that a process opens',
  },
  {
    tests: /^test\/guides\/concurrency\/concurrent-writes\.test\.ts › two writes that wait for each other › /,
    why: 'on SQLite one write begins after the other, so there is no deadlock',
  },
  {
    tests: /^test\/guides\/ids\/client-ids\.test\.ts › a new resource without an id › returns 422 for numbers, /,
    why: 'SQLite generates integer keys that have no value',
  },
  {
    tests: /^test\/hostile\/sessions\.test\.ts › (session settings › |returns 500 after )/,
    why: 'session settings differ between databases',
  },
  {
    tests: /^test\/modules\/store\/transactions\.test\.ts › the one connection of SQLite › /,
    why: 'a server gives each transaction a connection of its own',
  },
  {
    tests:
      /^test\/modules\/store\/(driver-statements\.test\.ts › better-sqlite3|named-statements\.test\.ts › .*named statements?.*) › /,
    why: 'drivers prepare statements differently',
  },
  {
    tests: /^test\/properties\/moments\.test\.ts › dates and times › /,
    why: 'drivers of servers return dates, those of SQLite return text',
  },
  {
    tests: /^test\/modules\/store\/sqlite-readers\.test\.ts › /,
    why: 'a server gives each transaction a connection of its own; only better-sqlite3 has the option to prepare one',
  },
  {
    tests:
      /^test\/guides\/validation\/constraints\.test\.ts › a constraint that is deferred to the end of the transaction › /,
    why: 'MariaDB has no such constraints',
  },
  {
    tests:
      /^test\/modules\/graph\/invalid-resources\.test\.ts › hierarchies › (refuse a derived class with a table|refuse an unmapped resource|refuse (one-to-one )?relations of siblings|refuse siblings (that|with))/,
    why: 'if each class has a table, siblings share no columns',
  },
  {
    tests:
      /^test\/guides\/databases\/embedded-in-hierarchy\.test\.ts › siblings with an embedded object of one name › (are refused|cause a warning) at start-up /,
    why: 'if each class has a table, siblings share no columns',
  },
  {
    tests: /^test\/guides\/configuration\/start-up-warnings\.test\.ts › name relations without null of derived types, /,
    why: 'if each class has a table, siblings share no columns',
  },
  {
    tests:
      /^test\/modules\/(graph\/describe-entities\.test\.ts › .* lists own and inherited columns,|store\/missing-values\.test\.ts › does not find rows)/,
    why: 'tables per concrete type have no discriminator column',
  },
  {
    tests:
      /^test\/modules\/node-http\/duration\.test\.ts › limits\.timeout › (cancels a statement|times out a read and a write|uses no connection)/,
    why: 'on SQLite a statement runs in the process, one write waits for the other before it begins, and there is no pool of connections',
  },
  {
    tests: /^test\/modules\/store\/outages\.test\.ts › /,
    why: 'connections to a server can be ended, a file can be full; only PostgreSQL breaks off a commit from within',
  },
  {
    tests: /^test\/guides\/examples\/humans\.test\.ts › .*seeds the family only once/,
    why: 'the example fills a single table',
  },
]
