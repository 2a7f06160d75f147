import { Labelled } from '../parts/labelled'
import { DescriptionParagraph } from '../parts/text-with-inline-code'
import { withoutMember } from './chips'
import type { QueryPartProps } from './query-part-props'

/** The members of the parameter `page` that the endpoint supports. */
export function PageBuilder({ at: { parameters }, query, onChange }: QueryPartProps) {
  const names = Object.keys(parameters.get('page')?.schema?.properties ?? {})
  const change = (name: string, value: string) => {
    const rest = withoutMember(query.page, name)
    onChange({ ...query, page: value === '' ? rest : { ...rest, [name]: value } })
  }
  return (
    <div class="builder-page">
      {names.map((name) => (
        <Labelled key={name} label={name} hint={HINTS[name]}>
          {(controlAttributes) => (
            <input
              {...controlAttributes}
              type="text"
              class="code"
              autocomplete="off"
              value={query.page[name] ?? ''}
              onInput={({ currentTarget }) => change(name, currentTarget.value.trim())}
            />
          )}
        </Labelled>
      ))}
      <DescriptionParagraph class="hint" text={parameters.get('page')?.description} />
    </div>
  )
}

const HINTS: Readonly<Record<string, string>> = {
  size: 'For included resources too: 10,children:3',
  number: 'From 1',
  after: 'A cursor',
  before: 'A cursor',
}
