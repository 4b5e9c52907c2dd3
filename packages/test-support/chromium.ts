import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium } from 'playwright-core'
import { isFull } from './depth.js'

/** Debian's, then Google's. The shell has no window to draw, so it is cheaper. */
const places = [
  process.env.CHROMIUM,
  ...(isFull ? [] : ['/usr/bin/chromium-headless-shell']),
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

const executablePath = places.find((place) => place !== undefined && existsSync(place))

/** Whether Chromium is available for tests; if not, prints one line, and fails in CI. */
export function isChromiumHere(): boolean {
  if (executablePath !== undefined) return true
  const line = 'No Chromium: tests in a real browser are skipped (apt-get install chromium, or set CHROMIUM)'
  if (process.env.CI) throw new Error(line)
  console.warn(line)
  return false
}

/** Playwright's own, which a second list replaces; and the pages of the address bar, which cost as much as a page. */
const disabledFeatures = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxPopup',
]

/**
 * A browser without a window. Chromium's own sandbox doesn't work for root, and in containers tests often run as root.
 * @param without arguments of Playwright's own that it isn't to have
 */
export function launchChromium(
  args: readonly string[] = [],
  without: readonly string[] = [],
): Promise<Browser> {
  const features = `--disable-features=${disabledFeatures.join(',')}`
  return chromium.launch({
    executablePath: executablePath ?? '',
    args: ['--no-sandbox', features, ...args],
    ignoreDefaultArgs: [...without],
  })
}

/** The browser logs each response of 400 and above; and that typing began before `autofocus` took effect. */
const isNoComplaint = /Failed to load resource.*status of 4|^Autofocus processing was blocked/

/**
 * What pages of this context log in their consoles, and their uncaught errors, from now on.
 * @param expected what this test brings about itself
 */
export function complaintsIn(context: BrowserContext, expected?: RegExp): string[] {
  const complaints: string[] = []
  context.on('console', (message) => {
    const text = message.text()
    if (!isNoComplaint.test(text) && expected?.test(text) !== true) complaints.push(text)
  })
  context.on('weberror', (error) => complaints.push(String(error.error())))
  return complaints
}
