import type { TypeInfo } from '../core/api-types'
import { joinApiPath } from '../core/api-url'
import type { ExplorerApiModel } from '../core/explorer-api-model'
import { LazyTypeHierarchyDiagram } from '../hierarchy/hierarchy'
import { DescriptionParagraph } from '../parts/text-with-inline-code'
import { TypeDot } from '../parts/value'
import { FieldTable } from './field-table'
import { TypeBadges } from './type-badges'

/** All types of the API. */
export function Overview({ model }: { readonly model: ExplorerApiModel }) {
  const { info, types } = model
  return (
    <div class="overview">
      <h1>{info.title}</h1>
      <DescriptionParagraph class="lead" text={info.description} />
      <LazyTypeHierarchyDiagram />
      <div class="overview-types">
        {[...types.values()].map((type) => (
          <TypeSection key={type.name} type={type} />
        ))}
      </div>
    </div>
  )
}

function TypeSection({ type }: { readonly type: TypeInfo }) {
  const { name, description, fields } = type
  return (
    <section class="overview-type" aria-label={name}>
      <h2>
        <TypeDot type={name} />
        <a href={joinApiPath(name)}>{name}</a>
        <TypeBadges type={type} />
      </h2>
      <DescriptionParagraph text={description} />
      <details>
        <summary>
          Fields <span class="hint">{fields.length}</span>
        </summary>
        <FieldTable name={name} />
      </details>
    </section>
  )
}
