import { declareField } from './declare'
import type { ToManyOptions } from './field-options'

/**
 * Declares a relationship to any number of resources. The TypeORM relation on the same property determines its target and inverse.
 *
 * ```ts
 * @ToMany({ page: { size: 5 } }) @OneToMany('Article', 'blog') articles: Article[]
 * @ToMany({ name: 'features' }) @ManyToMany('Feature') @JoinTable() carFeatures: Feature[]
 * ```
 *
 * `GET /blogs/1/articles` -> the first five articles of the blog, and a link to the next five
 */
export function ToMany(options?: ToManyOptions): PropertyDecorator
export function ToMany(...given: readonly unknown[]): PropertyDecorator | undefined {
  return declareField('toMany', given)
}
