/** @import { ApiModel } from './core/api-model' */
/** @import { FieldInfo, TypeInfo } from './core/api-types' */
import { toApiPath as collectionUrl } from './core/api-url'
import { formatSchemaType, isNullable } from './core/schema'
import { element } from './dom.mjs'
import { hierarchyPicture } from './hierarchy.mjs'

/**
 * Shows all types.
 *
 * @param {ApiModel} model
 */
export function overview(model) {
  const { info, types } = model
  return [
    element('h1', {}, info.title),
    info.description !== undefined && element('p', { class: 'lead' }, info.description),
    hierarchyPicture(model),
    element(
      'p',
      { class: 'legend hint' },
      'Derived types have the fields of their base. Curves are relationships; ∗ marks those to many.',
    ),
    [...types.values()].map(typeSection),
  ]
}

/** @param {TypeInfo} type */
function typeSection(type) {
  return element(
    'section',
    { class: 'type-section' },
    element('h2', {}, element('a', { href: collectionUrl(type.name) }, type.name), ' ', ...typeBadges(type)),
    type.description !== undefined && element('p', {}, type.description),
    fieldTable(type),
  )
}

/** @param {TypeInfo} type */
export function typeBadges({ isAbstract, base }) {
  return [
    isAbstract && element('span', { class: 'badge' }, 'abstract'),
    base !== undefined &&
      element('span', { class: 'badge' }, 'derived from ', element('a', { href: collectionUrl(base) }, base)),
  ]
}

/** @param {TypeInfo} type */
export function fieldTable({ name, fields }) {
  const isDescribed = fields.some(({ description }) => description !== undefined)
  const heads = ['field', 'what it is', 'null', 'can be used to', ...(isDescribed ? ['description'] : [])]
  return element(
    'div',
    { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': `Fields of ${name}` },
    element(
      'table',
      { class: 'fields' },
      element('caption', { class: 'unseen' }, `Fields of ${name}`),
      element(
        'thead',
        {},
        element(
          'tr',
          {},
          heads.map((head) => element('th', { scope: 'col' }, head)),
        ),
      ),
      element(
        'tbody',
        {},
        fields.map((field) => fieldRow(field, isDescribed)),
      ),
    ),
  )
}

/**
 * @param {FieldInfo} field
 * @param {boolean} isDescribed
 */
function fieldRow({ name, kind, target, schema, capabilities, description, isOwn }, isDescribed) {
  const schemaText = kind === 'attribute' ? formatSchemaType(schema) : ''
  return element(
    'tr',
    {},
    element(
      'th',
      { scope: 'row' },
      name,
      schema.deprecated === true && element('span', { class: 'badge' }, 'deprecated'),
      !isOwn && element('span', { class: 'inherited' }, ' inherited'),
    ),
    element(
      'td',
      {},
      schemaText,
      target !== undefined && [
        kind === 'toOne' ? 'one of ' : 'many ',
        element('a', { href: collectionUrl(target) }, target),
      ],
    ),
    element('td', {}, isNullable(schema) ? 'yes' : 'no'),
    element('td', { class: 'capabilities' }, capabilities.join(', ')),
    isDescribed && element('td', {}, description ?? ''),
  )
}
