import type { ParsedApiUrl } from '../core/api-types'
import { useModel } from '../core/context'
import { Icon } from '../parts/icon'
import { DescriptionParagraph } from '../parts/text-with-inline-code'
import { Breadcrumbs } from './breadcrumbs'
import { TypeBadges } from './type-badges'

/** The path of a collection, with links to its fields and to the form for a new resource. */
export function CollectionHeading({ address }: { readonly address: ParsedApiUrl }) {
  const model = useModel()
  const { shape, type: name } = address
  const type = model.types.get(name)
  if (shape !== 'collection' || type === undefined) return <Breadcrumbs address={address} />
  return (
    <>
      <Breadcrumbs address={address}>
        <TypeBadges type={type} />
        <div class="heading-actions">
          <a class="button" href="#fields">
            <Icon name="layers" />
            Fields
          </a>
          {model.bodiesOf(model.operation('post', name)).size > 0 && (
            <a class="button primary" href="#new">
              <Icon name="add" />
              Create
            </a>
          )}
        </div>
      </Breadcrumbs>
      <DescriptionParagraph class="lead" text={type.description} />
    </>
  )
}
