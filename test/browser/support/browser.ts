import { type Browser, chromium, type Page } from 'playwright-core'

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'

/** Chromium runs without a window and without background requests. */
const SWITCHES = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
]

const SCREEN = { width: 1280, height: 720 }
export type Screen = typeof SCREEN

/**
 * Starts a browser for the tests of a file. They share one tab, because a new one costs three times as much as a test: its process has to compile
 * the page again. What a page stores, and the routes of a test, are removed after each test.
 */
export function useBrowser() {
  let browser: Browser
  let page: Page
  const errors: string[] = []
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: SWITCHES })
    // Without transitions, colors are final when an element is visible.
    page = await browser.newPage({ reducedMotion: 'reduce' })
    page.setDefaultTimeout(15_000)
    page.on('pageerror', ({ message }) => errors.push(message))
    page.on('console', (message) => {
      // The console also reports failed requests, which tests expect.
      if (message.type() === 'error' && !/a status of [45]\d\d|net::ERR_FAILED/.test(message.text()))
        errors.push(message.text())
    })
  })
  afterEach(async () => {
    await page.unrouteAll({ behavior: 'wait' })
    await page.evaluate(() => {
      localStorage.clear()
      sessionStorage.clear()
    })
    await page.mouse.move(-1, -1)
    await page.goto('about:blank')
    expect(errors.splice(0)).toEqual([])
  })
  afterAll(() => browser.close())
  return {
    /** Opens a URL, in the light color scheme. An unexpected error on the page fails the test. */
    async open(url: string, screen: Screen = SCREEN): Promise<Page> {
      await page.setViewportSize(screen)
      await page.emulateMedia({ colorScheme: 'light' })
      await page.goto(url)
      return page
    },
  }
}
