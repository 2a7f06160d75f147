import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'

/** Chromium runs without a window and without background requests. */
const SWITCHES = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
]

export interface Browser {
  /** Opens a page. An unexpected error in it fails the test. */
  open(url: string, options?: BrowserContextOptions): Promise<Page>
  /** Returns the errors of the pages since the last call. */
  takeErrors(): readonly string[]
  closePages(): Promise<void>
  close(): Promise<void>
}

export async function startBrowser(): Promise<Browser> {
  const folder = mkdtempSync(join(tmpdir(), 'stemma-browser-'))
  const context = await chromium.launchPersistentContext(folder, { executablePath: CHROMIUM, args: SWITCHES })
  const browser = context.browser()
  let errors: string[] = []
  const contexts: BrowserContext[] = []
  const watch = (page: Page) => {
    page.on('pageerror', ({ message }) => errors.push(message))
    page.on('console', (message) => {
      // The console also reports failed requests, which tests expect.
      if (message.type() === 'error' && !/a status of [45]\d\d|net::ERR_FAILED/.test(message.text())) {
        errors.push(message.text())
      }
    })
  }
  return {
    async open(url, options = {}) {
      if (browser === null) throw new Error('The browser has gone.')
      const own = await browser.newContext(options)
      contexts.push(own)
      const page = await own.newPage()
      page.setDefaultTimeout(15_000)
      watch(page)
      await page.goto(url)
      return page
    },
    takeErrors() {
      const taken = errors
      errors = []
      return taken
    },
    async closePages() {
      for (const each of contexts.splice(0)) await each.close()
    },
    async close() {
      await context.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
