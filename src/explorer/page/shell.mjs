/** @import { ApiModel } from './api-model.mjs' */
/** @import { TypeInfo } from './types' */
import { collectionUrl } from './api-model.mjs'
import { API_ROOT_URL } from './api-url.mjs'
import { element, newElementId, refill } from './dom.mjs'
import { announce } from './parts.mjs'
import { savedHeaderText, saveHeaderText } from './requests.mjs'

/**
 * Creates the permanent part of the page: navigation and request headers.
 *
 * @param {() => void} restart Reloads everything.
 */
export function shell(restart) {
  const brand = element('a', { class: 'brand', href: API_ROOT_URL.pathname }, 'Explorer')
  const types = element('nav', { class: 'types', 'aria-label': 'Resource types' })
  const main = element('main', { id: 'content', tabindex: '-1' })
  const links = element('span', { class: 'links' })
  document.body.append(
    element('a', { class: 'skip', href: '#content' }, 'Skip to the content'),
    element('header', { class: 'top' }, brand, links, headersForm(restart)),
    element('div', { class: 'frame' }, types, main),
    element('div', { id: 'announcements', class: 'unseen', role: 'status', 'aria-live': 'polite' }),
  )
  return {
    main,
    /** @param {ApiModel} model */
    describe({ info, roots, types: all }) {
      refill(brand, info.title, ' ', element('span', { class: 'version' }, info.version))
      refill(links, element('a', { href: `${API_ROOT_URL.pathname}openapi.json`, target: '_blank' }, 'OpenAPI'))
      refill(types, element('h2', {}, 'Types'), typeTree(roots, all))
    },
    /** @param {string | undefined} type The current type. */
    mark(type) {
      for (const link of types.querySelectorAll('a')) {
        if (link.dataset.type === type) link.setAttribute('aria-current', 'page')
        else link.removeAttribute('aria-current')
      }
    },
  }
}

/**
 * @param {readonly TypeInfo[]} types
 * @param {ReadonlyMap<string, TypeInfo>} all
 * @returns {HTMLElement}
 */
function typeTree(types, all) {
  return element(
    'ul',
    {},
    types.map(({ name, isAbstract, derived }) =>
      element(
        'li',
        {},
        element(
          'a',
          { href: collectionUrl(name), 'data-type': name, class: isAbstract ? 'abstract' : undefined },
          name,
        ),
        derived.length > 0 &&
          typeTree(
            derived.flatMap((each) => all.get(each) ?? []),
            all,
          ),
      ),
    ),
  )
}

/** @param {() => void} restart */
function headersForm(restart) {
  const id = newElementId()
  const text = element(
    'textarea',
    { id, rows: '3', spellcheck: 'false', class: 'code', placeholder: 'Authorization: Bearer …' },
    savedHeaderText(),
  )
  const details = element('details', { class: 'headers' })
  /** @param {Event} event */
  const save = (event) => {
    event.preventDefault()
    saveHeaderText(text.value)
    details.removeAttribute('open')
    announce('Headers are sent with every request from now on')
    restart()
  }
  details.append(
    element('summary', {}, 'Headers'),
    element(
      'form',
      { onsubmit: save, 'aria-label': 'Headers' },
      element('label', { for: id }, 'Sent with every request, one in each line'),
      text,
      element('button', { type: 'submit' }, 'Use'),
    ),
  )
  return details
}
