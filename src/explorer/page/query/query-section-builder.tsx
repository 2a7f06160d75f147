import { useEffect, useRef, useState } from 'preact/hooks'
import type { ParsedQueryString } from '../core/api-types'
import { parseQuery, toQueryString } from '../core/query'
import { FieldsBuilder } from './fields-builder'
import { FilterBuilder } from './filter-builder'
import { IncludeBuilder } from './include-builder'
import { PageBuilder } from './page-builder'
import type { BuilderTarget, QueryPartProps } from './query-part-props'
import type { QuerySection } from './sections'
import { SortBuilder } from './sort-builder'

interface QuerySectionBuilderProps {
  readonly section: QuerySection
  readonly query: ParsedQueryString
  readonly at: BuilderTarget
  readonly onApply: (query: ParsedQueryString) => void
  readonly onCancel: () => void
}

/** The form for a part of the query, with the URL that it leads to. */
export function QuerySectionBuilder({ section, query, at, onApply, onCancel }: QuerySectionBuilderProps) {
  const [draft, setDraft] = useState(query)
  const form = useFocusInside()
  const submit = (event: Event) => {
    event.preventDefault()
    onApply(draft)
  }
  const cancelByKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onCancel()
  }
  const part = { at, query: draft, onChange: setDraft }
  return (
    <form class="builder" aria-label={section} ref={form} onSubmit={submit} onKeyDown={cancelByKey}>
      {section === 'Filter' && <FilterBuilder {...part} />}
      {section === 'Sort' && <SortBuilder {...part} />}
      {section === 'Include' && <IncludeBuilder {...part} />}
      {section === 'Fields' && <FieldsBuilder {...part} />}
      {section === 'Page' && <PageBuilder {...part} />}
      {section === 'Text' && <TextBuilder {...part} />}
      <div class="builder-foot">
        <output class="builder-url" aria-label="URL">
          {`GET ${location.pathname}${readable(toQueryString(draft))}`}
        </output>
        <div class="actions">
          <button type="button" onClick={onCancel}>
            Cancel
          </button>
          <button type="submit" class="primary">
            Apply
          </button>
        </div>
      </div>
    </form>
  )
}

/** Moves the focus to the first control, and back to where it was. */
function useFocusInside() {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    const before = document.activeElement
    form.current?.querySelector<HTMLElement>('input, select, textarea, button')?.focus()
    return () => {
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  return form
}

function TextBuilder({ query, onChange }: QueryPartProps) {
  const [text, setText] = useState(() => readable(toQueryString(query).slice(1)))
  const change = (next: string) => {
    setText(next)
    onChange(parseQuery(next.replaceAll('+', '%2B')))
  }
  return (
    <label class="stack">
      Query string
      <textarea
        class="code"
        rows={3}
        spellcheck={false}
        value={text}
        onInput={({ currentTarget }) => change(currentTarget.value.replaceAll('\n', ''))}
      />
    </label>
  )
}

/** Shows text as people write it. `%`, `&`, `#` and `+` stay encoded. */
function readable(search: string): string {
  return search.replace(/(?:%[\da-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded).replace(/[%&#+=]/g, encodeURIComponent)
    } catch {
      return encoded
    }
  })
}
