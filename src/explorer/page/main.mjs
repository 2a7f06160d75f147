import { ApiModel } from './api-model.mjs'
import { parseApiUrl, toApiPath } from './api-url.mjs'
import { element, refill } from './dom.mjs'
import { locationView } from './location-view.mjs'
import { startNavigation } from './navigation.mjs'
import { problemList } from './problems.mjs'
import { send } from './requests.mjs'
import { shell } from './shell.mjs'
import { overview } from './type-view.mjs'

const page = shell(start)

/** @type {ApiModel | undefined} */
let model

/** Loads the OpenAPI document and renders the current URL. */
async function start() {
  const answer = await send({ method: 'GET', url: toApiPath('openapi.json') })
  const { document: body } = answer
  if (answer.status !== 200 || body === undefined) {
    refill(
      page.main,
      element('h1', {}, 'The OpenAPI document cannot be loaded'),
      problemList(answer, body?.errors ?? []),
    )
    return
  }
  model = new ApiModel(/** @type {never} */ (body))
  page.describe(model)
  render()
}

function render() {
  const urlLocation = parseApiUrl(location.href)
  if (model === undefined || urlLocation === undefined) return
  const isRoot = urlLocation.shape === 'root'
  refill(page.main, isRoot ? overview(model) : locationView(urlLocation, model))
  page.mark(isRoot ? undefined : urlLocation.type)
  const path = [urlLocation.type, urlLocation.id, urlLocation.relationship].filter((part) => part !== '').join(' / ')
  document.title = isRoot ? model.info.title : `${path} – ${model.info.title}`
}

/** Moves the focus as a page load does, so that screen readers continue with the new content. */
function show() {
  render()
  scrollTo(0, 0)
  page.main.focus({ preventScroll: true })
}

startNavigation(show)
await start()
