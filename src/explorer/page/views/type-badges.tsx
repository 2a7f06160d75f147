import type { TypeInfo } from '../core/api-types'
import { joinApiPath } from '../core/api-url'

/** The place of a type in its hierarchy. */
export function TypeBadges({ type: { isAbstract, base } }: { readonly type: TypeInfo }) {
  return (
    <>
      {isAbstract && <span class="badge">abstract</span>}
      {base !== undefined && (
        <span class="badge">
          derived from <a href={joinApiPath(base)}>{base}</a>
        </span>
      )}
    </>
  )
}
