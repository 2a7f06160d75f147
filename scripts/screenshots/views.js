/** The picture of the README: a query, a table, and a resource beside it. */
exports.README = {
  name: 'explorer',
  api: 'family',
  path: '/humans?include=wife,husband&sort=name#/men/5',
  shows: '.resource-relationships .resource-link',
  width: 1440,
  height: 800,
  scheme: 'light',
}

/** Each view with an element that is there when it is complete. `act`: what a user does before the picture. Default of `api`: the example. */
const VIEWS = {
  types: { path: '/', shows: '.hierarchy-picture a' },
  'types-11': { api: 'types11', path: '/', shows: '.hierarchy-picture a' },
  'types-60': { api: 'types60', path: '/', shows: '.hierarchy-picture a' },
  table: { path: '/humans?include=wife,children&sort=name', shows: '.resources' },
  query: { path: '/humans?filter=contains(name,%27r%27)', shows: '.resources', act: click('Filter', '.builder') },
  panel: { path: '/humans#/men/5', shows: '.resource-relationships .resource-link' },
  create: { path: '/humans#new', shows: '.form' },
  resource: { path: '/men/5', shows: '.resource-relationships .resource-link' },
  conflict: { path: '/women/2', shows: '.resource-relationships .resource-link', act: causeConflict },
  relationship: { path: '/men/5/relationships/children', shows: '.picked .resource-link' },
  picker: {
    path: '/men/5/relationships/children',
    shows: '.picked .resource-link',
    act: click('Add to children', '[role=option]'),
  },
  error: { path: '/humans?sort=nmae', shows: '.query-errors' },
  authorize: { api: 'secured', path: '/men', shows: '.resources', act: click('Authorize', '.authorize') },
  refused: { api: 'refused', path: '/men', shows: '.authorize-refused' },
  history: { path: '/men', shows: '.resources', act: click('History', '.history-facts') },
  operations: {
    path: '/operations',
    shows: '.operations-card',
    act: click('Add an operation', '.operations-card:nth-child(2)'),
  },
  plan: { api: 'explained', path: '/humans?include=wife&sort=name', shows: '.resources', act: explain },
}

const SCREENS = [
  [360, 740],
  [768, 1000],
  [1440, 900],
  [1920, 1080],
]

/** All views on all screens, in both color schemes. */
exports.allPictures = () =>
  Object.entries(VIEWS).flatMap(([view, { api = 'family', ...rest }]) =>
    SCREENS.flatMap(([width, height]) =>
      ['light', 'dark'].map((scheme) => ({ name: `${view}-${width}-${scheme}`, api, ...rest, width, height, scheme })),
    ),
  )

/** Clicks a button, and waits for an element. */
function click(button, shown) {
  return async (page) => {
    await page.getByRole('button', { name: button, exact: true }).click()
    await page.locator(shown).first().waitFor()
  }
}

async function explain(page) {
  await click('Explain this read', '.plan-statement')(page)
  await page.locator('.plan').evaluate((plan) => plan.scrollIntoView())
}

/** Saves a form after another client has changed the resource. */
async function causeConflict(page, url) {
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByLabel('name', { exact: true }).fill('Grete')
  await rename(url, 'Gretchen')
  await click('Save women 2', '.conflict-versions')(page)
  // Other pictures show this name.
  await rename(url, 'Greta')
}

async function rename(url, name) {
  const { status } = await fetch(`${url}/women/2`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/vnd.api+json' },
    body: JSON.stringify({ data: { type: 'women', id: '2', attributes: { name } } }),
  })
  if (status !== 204)
    throw new Error(
      `PATCH /women/2 of the example returned ${status}. Correct rename() in scripts/screenshots/views.js.`,
    )
}
