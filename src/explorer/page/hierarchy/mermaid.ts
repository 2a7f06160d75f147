import type { FieldInfo, TypeInfo } from '../core/api-types'
import type { ExplorerApiModel } from '../core/explorer-api-model'
import { formatSchemaType } from '../core/schema'

/** Prints all types as a class diagram of Mermaid. https://mermaid.js.org/syntax/classDiagram.html */
export function toMermaid(model: ExplorerApiModel): string {
  const ids = new Map(
    [...model.types.keys()].map((name, index) => [name, /^[a-z]\w*$/i.test(name) ? name : `t${index}`]),
  )
  const idOf = (name: string) => ids.get(name) ?? name
  const types = [...model.types.values()]
  const classes = types.flatMap((type) => printClass(type, idOf(type.name)))
  const bases = types.flatMap(({ name, base }) => (base === undefined ? [] : [`${idOf(base)} <|-- ${idOf(name)}`]))
  const relationships = types.flatMap(({ name, fields }) =>
    fields.flatMap((field) =>
      field.target === undefined || !field.isOwn
        ? []
        : [`${idOf(name)} --> "${field.kind === 'toOne' ? '0..1' : '*'}" ${idOf(field.target)} : ${field.name}`],
    ),
  )
  return ['classDiagram', ...[...classes, ...bases, ...relationships].map((line) => `  ${line}`), ''].join('\n')
}

function printClass({ name, isAbstract, fields }: TypeInfo, id: string): readonly string[] {
  const start = id === name ? `class ${id}` : `class ${id}["${name}"]`
  const attributes = fields.filter(({ isOwn, kind }) => isOwn && kind === 'attribute')
  const members = [...(isAbstract ? ['<<abstract>>'] : []), ...attributes.map(printAttribute)]
  return members.length === 0 ? [start] : [`${start} {`, ...members.map((member) => `  ${member}`), '}']
}

function printAttribute({ name, schema }: FieldInfo): string {
  const type = (formatSchemaType(schema).split(',')[0] ?? '').replace(/[^\w-]+/g, '_')
  return `${type} ${name}`
}
