// Takes pictures of the explorer: `npm run screenshots` writes docs/images/explorer.png, which the README shows. `npm run screenshots -- --all FOLDER`
// writes pictures of all views, on small and wide screens, light and dark. `npm run screenshots -- --compare FOLDER` takes them again into FOLDER/now,
// and fails if one of them differs from the picture in FOLDER. Needs Chromium and the packages of test/browser.
const { mkdirSync } = require('node:fs')
const { join } = require('node:path')
const { chromium } = require('../test/browser/node_modules/playwright-core')
const { assertExist, shareOfDifferentPixels } = require('./screenshots/compare-pictures')
const { serveApis } = require('./screenshots/serve-apis')
const { allPictures, README } = require('./screenshots/views')

const ROOT = join(__dirname, '..')
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'
const SWITCHES = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking']
const LOADING = 60_000

/** A picture must not show the time of a busy server. In milliseconds. */
const SLOWEST = 100
const ATTEMPTS = 3

/** The share of pixels that may differ, for example because a text is drawn half a pixel farther to the right. */
const MOST_DIFFERENT = 0.002

async function main([option, folder, ...others]) {
  const isOption = ['--all', '--compare'].includes(option) && folder !== undefined && others.length === 0
  if (option !== undefined && !isOption)
    throw new Error('Usage: npm run screenshots [-- --all FOLDER | -- --compare FOLDER]')
  const pictures = isOption ? allPictures() : [README]
  const isComparison = option === '--compare'
  if (isComparison) assertExist(pictures.map(({ name }) => fileOf(folder, name)))
  const target = isOption ? join(folder, isComparison ? 'now' : '') : join(ROOT, 'docs', 'images')
  mkdirSync(target, { recursive: true })
  const apis = await serveApis()
  try {
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: SWITCHES })
    try {
      await takeAll(browser, pictures, apis.urls, target)
      if (isComparison) await compareAll(browser, pictures, folder, target)
    } finally {
      await browser.close()
    }
  } finally {
    apis.close()
  }
}

function fileOf(folder, name) {
  return join(folder, `${name}.png`)
}

async function takeAll(browser, pictures, urls, folder) {
  const opened = new Set()
  for (const picture of pictures) {
    const { name, api, path, act } = picture
    const url = urls.get(api)
    // The first time warms up the server.
    if (!opened.has(url + path)) await (await open(browser, picture, url + path)).close()
    opened.add(url + path)
    const page = await openFast(browser, picture, url + path)
    await act?.(page, url)
    if (picture !== README) await page.evaluate(hideTimes)
    await page.screenshot({ path: fileOf(folder, name) })
    await page.close()
    console.log(fileOf(folder, name))
  }
}

/** Opens a view whose response has not taken too long. */
async function openFast(browser, picture, url) {
  let times = []
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const page = await open(browser, picture, url)
    times = await page.locator('.status-size').allTextContents()
    if (times.every((text) => Number.parseInt(text, 10) <= SLOWEST)) return page
    await page.close()
  }
  throw new Error(
    `The picture ${picture.name} would show '${times.join(', ')}', more than ${SLOWEST} ms. Take the pictures while the machine does nothing else.`,
  )
}

async function open(browser, { shows, width, height, scheme }, url) {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme: scheme, reducedMotion: 'reduce' })
  page.setDefaultTimeout(LOADING)
  await page.goto(url, { waitUntil: 'networkidle', timeout: LOADING })
  await page.locator(shows).first().waitFor()
  await page.locator('[aria-busy=true]').waitFor({ state: 'detached' })
  return page
}

/** Replaces what differs each time. Runs in the page. */
function hideTimes() {
  for (const { childNodes } of document.querySelectorAll('.status-size, .history-facts')) {
    for (const node of childNodes) if (node.nodeType === Node.TEXT_NODE && /^\d+$/.test(node.data)) node.data = '9'
  }
  for (const time of document.querySelectorAll('.history-facts time')) time.textContent = 'now'
}

async function compareAll(browser, pictures, before, now) {
  const page = await browser.newPage()
  const different = []
  for (const { name } of pictures) {
    const share = await shareOfDifferentPixels(page, fileOf(before, name), fileOf(now, name))
    if (share > MOST_DIFFERENT) different.push(`${name}: ${(share * 100).toFixed(1)} %`)
  }
  if (different.length > 0) {
    throw new Error(
      `Pictures differ from those in ${before}, with the share of their pixels:\n${different.join('\n')}\nLook at those in ${now}. Copy them to ${before} if they are right.`,
    )
  }
  console.log(`${pictures.length} pictures are the same as in ${before}.`)
}

main(process.argv.slice(2)).catch((error) => {
  console.error(error.message)
  process.exit(1)
})
