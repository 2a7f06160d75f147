import type { JsonApiDocument } from '../core/api-types'
import { useModel } from '../core/context'
import { collectLabelsInDocument } from '../core/resources'
import { shownColumnsOfResources } from '../table/columns'
import { ResourceTable } from '../table/resource-table'

/** A table for each type of included resources. */
export function Included({ document }: { readonly document: JsonApiDocument }) {
  const model = useModel()
  const { included = [] } = document
  const labels = collectLabelsInDocument(document, model)
  const types = [...new Set(included.map(({ type }) => type))]
  return (
    <>
      {types.map((type) => {
        const resources = included.filter((each) => each.type === type)
        return (
          <details key={type} class="included">
            <summary>
              Included {type} <span class="hint">{resources.length}</span>
            </summary>
            <ResourceTable
              caption={`Included ${type}`}
              resources={resources}
              columns={shownColumnsOfResources(resources, type, model)}
              labels={labels}
            />
          </details>
        )
      })}
    </>
  )
}
