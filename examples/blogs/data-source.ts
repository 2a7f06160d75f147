import type { DataSource } from 'typeorm'
import { toDataSource } from '../data-source'
import { Article } from './article'
import { Blog } from './blog'
import { Revision } from './revision'
import { Tag } from './tag'

/** Not initialized yet. Without a URL: in memory. */
export function createDataSource(url?: string): DataSource {
  return toDataSource('blogs', [Blog, Article, Revision, Tag], url)
}
