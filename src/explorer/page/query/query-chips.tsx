import { useState } from 'preact/hooks'
import type { ApiErrorObject, OpenApiParameter, ParsedQueryString } from '../core/api-types'
import type { ExplorerApiModel } from '../core/explorer-api-model'
import { navigate } from '../core/navigation'
import { parseQuery, toQueryString } from '../core/query'
import { Icon } from '../parts/icon'
import { formatApiErrorObject } from '../parts/response-errors'
import { listQueryChipsOfSection, type QueryChip } from './chips'
import { QuerySectionBuilder } from './query-section-builder'
import { type QuerySection, querySectionOfParameter, querySectionsFor } from './sections'

interface QueryChipsProps {
  readonly model: ExplorerApiModel
  /** The type of the response. */
  readonly type: string
  readonly search: string
  readonly parameters: ReadonlyMap<string, OpenApiParameter>
  /** The errors of the response that name a parameter. */
  readonly errors: readonly ApiErrorObject[]
}

/** The query in one line. Each part opens the builder. */
export function QueryChips({ model, type, search, parameters, errors }: QueryChipsProps) {
  const [open, setOpen] = useState<QuerySection>()
  const query = parseQuery(search)
  const sections = querySectionsFor(parameters)
  const apply = (next: ParsedQueryString) => navigate(location.pathname + toQueryString(next) + location.hash)
  return (
    <section class="query" aria-label="Query">
      <div class="query-bar">
        {sections.map((section) => (
          <Group
            key={section}
            section={section}
            chips={listQueryChipsOfSection(section, query, { type, model })}
            isOpen={open === section}
            isWrong={errors.some(({ source }) => querySectionOfParameter(source?.parameter ?? '') === section)}
            onOpen={() => setOpen(open === section ? undefined : section)}
            onRemove={apply}
          />
        ))}
      </div>
      {errors.length > 0 && <ParameterErrors errors={errors} />}
      {open !== undefined && (
        <QuerySectionBuilder
          key={`${open} ${search}`}
          section={open}
          query={query}
          at={{ model, type, parameters }}
          onApply={(next) => {
            apply(next)
            setOpen(undefined)
          }}
          onCancel={() => setOpen(undefined)}
        />
      )}
    </section>
  )
}

interface GroupProps {
  readonly section: QuerySection
  readonly chips: readonly QueryChip[]
  readonly isOpen: boolean
  readonly isWrong: boolean
  readonly onOpen: () => void
  readonly onRemove: (without: ParsedQueryString) => void
}

function Group({ section, chips, isOpen, isWrong, onOpen, onRemove }: GroupProps) {
  return (
    <fieldset class={`query-group${isWrong ? ' query-wrong' : ''}`}>
      <legend class="unseen">{section}</legend>
      <button type="button" class="query-open" aria-expanded={isOpen} onClick={onOpen}>
        {section}
        {chips.length === 0 && <Icon name={section === 'Text' ? 'edit' : 'add'} />}
      </button>
      {chips.map(({ text, without }) => (
        <span key={text} class="chip">
          <button type="button" class="chip-text" onClick={onOpen}>
            {text}
          </button>
          <button type="button" class="chip-remove" aria-label={`Remove ${text}`} onClick={() => onRemove(without)}>
            <Icon name="close" />
          </button>
        </span>
      ))}
    </fieldset>
  )
}

function ParameterErrors({ errors }: { readonly errors: readonly ApiErrorObject[] }) {
  return (
    <div class="query-errors" role="alert">
      <ul>
        {errors.map((error) => (
          <li key={`${error.source?.parameter} ${error.detail}`}>
            <code>{error.source?.parameter}</code> {formatApiErrorObject(error)}
          </li>
        ))}
      </ul>
    </div>
  )
}
