// Takes pictures of the explorer of the running example: `npm run screenshots` writes docs/images/explorer.png, which the README shows.
// `npm run screenshots -- --all FOLDER` writes pictures of all views, on small and wide screens, light and dark. Needs Chromium and the
// packages of test/browser.
const { spawn } = require('node:child_process')
const { mkdirSync } = require('node:fs')
const { join } = require('node:path')
const { chromium } = require('../test/browser/node_modules/playwright-core')
const { findPort } = require('./find-port')

const ROOT = join(__dirname, '..')
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'
const SWITCHES = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking']
const LOADING = 60_000

/** The picture of the README: a query, a table, and a resource beside it. */
const README = {
  name: 'explorer',
  path: '/humans?include=wife,husband&sort=name#/men/5',
  shows: '.resource-relationships .resource-link',
  width: 1440,
  height: 800,
  scheme: 'light',
}

/** Each view with an element that is there when it is complete. */
const VIEWS = {
  types: ['/', '.overview'],
  table: ['/humans?include=wife,children&sort=name', '.resources'],
  panel: ['/humans#/men/5', '.resource-relationships .resource-link'],
  create: ['/humans#new', '.form'],
  resource: ['/men/5', '.resource-relationships .resource-link'],
  relationship: ['/men/5/relationships/children', '.picked .resource-link'],
  error: ['/humans?sort=nmae', '.query-errors'],
}

const SCREENS = [
  [360, 740],
  [768, 1000],
  [1440, 900],
]

async function main([option, folder]) {
  const isAll = option === '--all' && folder !== undefined
  if (option !== undefined && !isAll) throw new Error('Usage: npm run screenshots [-- --all FOLDER]')
  const pictures = isAll ? allPictures() : [README]
  const target = isAll ? folder : join(ROOT, 'docs', 'images')
  mkdirSync(target, { recursive: true })
  const port = await findPort()
  const server = spawn(process.execPath, [join(ROOT, 'build', 'examples', 'humans', 'main.js')], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    // The example prints its greeting when it listens.
    await new Promise((resolve) => server.stdout.once('data', resolve))
    await takeAll(pictures, `http://localhost:${port}`, target)
  } finally {
    server.kill()
  }
}

function allPictures() {
  return Object.entries(VIEWS).flatMap(([view, [path, shows]]) =>
    SCREENS.flatMap(([width, height]) =>
      ['light', 'dark'].map((scheme) => ({ name: `${view}-${width}-${scheme}`, path, shows, width, height, scheme })),
    ),
  )
}

async function takeAll(pictures, url, folder) {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: SWITCHES })
  try {
    for (const { name, path, shows, width, height, scheme } of pictures) {
      const page = await browser.newPage({ viewport: { width, height }, colorScheme: scheme })
      page.setDefaultTimeout(LOADING)
      await page.goto(url + path, { waitUntil: 'networkidle', timeout: LOADING })
      await page.locator(shows).first().waitFor()
      await page.locator('[aria-busy=true]').waitFor({ state: 'detached' })
      await page.screenshot({ path: join(folder, `${name}.png`) })
      await page.close()
      console.log(join(folder, `${name}.png`))
    }
  } finally {
    await browser.close()
  }
}

main(process.argv.slice(2)).catch((error) => {
  console.error(error.message)
  process.exitCode = 1
})
