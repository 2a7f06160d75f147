import type { DataSource } from 'typeorm'
import { toDataSource } from '../data-source'
import { Human } from './human'
import { Man } from './man'
import { Woman } from './woman'

/** Returns a data source that is not initialized. Without a URL, the database is in memory. */
export function createDataSource(url?: string): DataSource {
  return toDataSource('family', [Human, Man, Woman], url)
}
