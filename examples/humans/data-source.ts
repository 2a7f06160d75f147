import type { DataSource } from 'typeorm'
import { toDataSource } from '../data-source'
import { Human } from './human'
import { Man } from './man'
import { Woman } from './woman'

/** Not initialized yet. Without a URL: in memory. */
export function createDataSource(url?: string): DataSource {
  return toDataSource('family', [Human, Man, Woman], url)
}
