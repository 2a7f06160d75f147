// A module of a user that awaits something outside of functions: only import can load it. Copied beside what `stemma init` has written.
import { configuration as configure } from './dist/src/configuration.js'
import { createDataSource } from './dist/src/data-source.js'

export const configuration = await Promise.resolve(configure(createDataSource(':memory:')))
