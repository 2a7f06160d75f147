import { CreateTables1767225600000 } from './1767225600000-create-tables'

/** All migrations, oldest first. Add each class that `npm run migrate:generate` has written. */
export const migrations = [CreateTables1767225600000]
