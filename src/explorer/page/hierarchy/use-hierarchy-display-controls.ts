import { useCallback, useMemo, useState } from 'preact/hooks'
import type { ExplorerApiModel } from '../core/explorer-api-model'
import { findBaseOrSelfShownInDiagram, type HiddenGraphParts, type ShownGraph, toShownGraph } from './shown-graph'

/** Larger pictures, and those on narrower pages, start without fields and without names of relationships. */
const MANY_TYPES = 25
const NARROW = 600

export interface HierarchyDisplayControls {
  readonly graph: ShownGraph
  readonly hasLabels: boolean
  readonly hasFields: boolean
  readonly search: string
  readonly isOnlyMatches: boolean
  /** The names of the types that the search found; `undefined` without a search. */
  readonly matches: ReadonlySet<string> | undefined
  readonly setLabels: (isOn: boolean) => void
  readonly setAllFields: (isOn: boolean) => void
  readonly setSearch: (text: string) => void
  readonly setOnlyMatches: (isOn: boolean) => void
  readonly toggleFields: (type: string) => void
  readonly toggleDerived: (type: string) => void
}

/** What is shown of the types, and what changes it. */
export function useHierarchyDisplayControls(model: ExplorerApiModel): HierarchyDisplayControls {
  const isLarge = model.types.size > MANY_TYPES || innerWidth < NARROW
  const [withoutFields, setWithoutFields] = useState(() => new Set(isLarge ? model.types.keys() : []))
  const [withoutDerived, setWithoutDerived] = useState<ReadonlySet<string>>(new Set())
  const [hasLabels, setLabels] = useState(!isLarge)
  const [search, setSearch] = useState('')
  const [isOnlyMatches, setOnlyMatches] = useState(false)
  const found = useMemo(() => findTypes(search, model), [search, model])
  const typesToShow = isOnlyMatches ? found : undefined
  // While only matches are shown, no hidden base type may stand for them.
  const state = useMemo(
    (): HiddenGraphParts => ({
      withoutFields,
      withoutDerived: typesToShow === undefined ? withoutDerived : new Set(),
      typesToShow,
    }),
    [withoutFields, withoutDerived, typesToShow],
  )
  const graph = useMemo(() => toShownGraph(model, state), [model, state])
  const matches = found && new Set([...found].map((name) => findBaseOrSelfShownInDiagram(name, model, state)))
  const setAllFields = useCallback(
    (isOn: boolean) => setWithoutFields(new Set(isOn ? [] : model.types.keys())),
    [model],
  )
  return {
    graph,
    hasLabels,
    hasFields: withoutFields.size < model.types.size,
    search,
    isOnlyMatches,
    matches,
    setLabels,
    setAllFields,
    setSearch,
    setOnlyMatches,
    toggleFields: (type) => setWithoutFields((old) => toggled(old, type)),
    toggleDerived: (type) => setWithoutDerived((old) => toggled(old, type)),
  }
}

/** Returns the types whose names, or the names of whose own fields, contain the text. */
function findTypes(search: string, model: ExplorerApiModel): ReadonlySet<string> | undefined {
  const text = search.trim().toLowerCase()
  if (text === '') return undefined
  const has = (name: string) => name.toLowerCase().includes(text)
  const found = [...model.types.values()].filter(
    ({ name, fields }) => has(name) || fields.some((field) => field.isOwn && has(field.name)),
  )
  return new Set(found.map(({ name }) => name))
}

function toggled(names: ReadonlySet<string>, name: string): Set<string> {
  const next = new Set(names)
  if (!next.delete(name)) next.add(name)
  return next
}
