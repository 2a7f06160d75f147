import * as postgresTables from './postgres/1767225600000-create-tables'
import * as postgresChanges from './postgres/1769904000000-add-changes'
import * as sqliteTables from './sqlite/1767225600000-create-tables'
import * as sqliteChanges from './sqlite/1769904000000-add-changes'

/** All migrations, oldest first. Add each class that `migration:generate` has written: see README.md. */
export const postgresMigrations = [postgresTables.CreateTables1767225600000, postgresChanges.AddChanges1769904000000]
export const sqliteMigrations = [sqliteTables.CreateTables1767225600000, sqliteChanges.AddChanges1769904000000]
