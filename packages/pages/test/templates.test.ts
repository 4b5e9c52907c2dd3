import { passkeys } from '@fastify-accounts/passkeys'
import { goodPassword } from '@fastify-accounts/test-support/app'
import { findings, overflows } from '@fastify-accounts/test-support/axe'
import { blocksOf } from '@fastify-accounts/test-support/blocks'
import { complaintsIn, isChromiumHere, launchChromium } from '@fastify-accounts/test-support/chromium'
import { sample } from '@fastify-accounts/test-support/depth'
import { englishTexts } from '@fastify-accounts/test-support/english-texts'
import { apiKeys, createMemoryActivityStore, secondFactor } from 'fastify-accounts'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { pagesApp } from './pages-app.js'

const here = isChromiumHere()

/** Of 60 characters, without a place to break it. */
const longName = 'Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunt'

/** The templates, each by a page that has it. */
const templates = {
  form: '/signup/',
  list: '/account/activity/',
  rows: '/account/',
  field: '/account/password/',
  notice: '/logged-out/',
  link: '/done/',
  error: '/reset/of-nobody/',
}

const conditions: Record<string, BrowserContextOptions> = {
  '320 px, German': { viewport: { width: 320, height: 640 }, locale: 'de' },
  '400 %': { viewport: { width: 320, height: 256 }, locale: 'fr' },
  'right to left': { viewport: { width: 600, height: 640 }, locale: 'he' },
  'forced colors': { viewport: { width: 1024, height: 768 }, locale: 'en', forcedColors: 'active' },
  dark: { viewport: { width: 1024, height: 768 }, locale: 'en', colorScheme: 'dark' },
}

let browser: Browser
let origin: string
beforeAll(async () => {
  if (!here) return
  const features = [secondFactor(), passkeys(), apiKeys({ scopes: ['orders:read'] })]
  const { app } = await pagesApp(
    {},
    {
      features,
      activity: createMemoryActivityStore(),
      brand: { name: 'Acme', footer: 'Acme Inc, 1 Main Street', links: { privacy: '/p', imprint: '/i' } },
      // A language whose pages are in English still, but run from right to left.
      languages: {
        texts: { he: englishTexts(features) },
      },
    },
  )
  await app.accounts.createUser({
    ...{ username: longName, password: goodPassword },
    ...{ email: `${longName}@${'long-label.'.repeat(4)}example.org`, isVerified: true },
  })
  await app.listen({ port: 0, host: 'localhost' })
  origin = app.listeningOrigin.replace('127.0.0.1', 'localhost')
  browser = await launchChromium()
})
afterAll(() => browser?.close())

async function logIn(page: Page): Promise<void> {
  await page.goto(`${origin}/login/`)
  await page.fill('[name=username]', longName)
  await page.fill('[name=password]', goodPassword)
  // By the keyboard, as everything here.
  await page.press('[name=password]', 'Enter')
  await page.waitForURL('**/account/')
}

/** What is smaller than 44 pixels, but for links within a text, which WCAG 2.2 (2.5.8) leaves out. */
const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('a, button, summary, input:not([type=hidden], [hidden]), select')]
    .filter((each) => each.checkVisibility() && getComputedStyle(each).display !== 'inline')
    .map((each) => (each.matches('[type=checkbox], [type=radio]') ? each.closest('label') : each))
    .filter((each) => { const { width, height } = each.getBoundingClientRect(); return height < 43.9 || width < 43.9 })
    .map((each) => each.outerHTML)`)

/** What the keyboard doesn't reach, or reaches unseen, going through the page by Tab. */
async function unreached(page: Page): Promise<string[]> {
  const all = `[...document.querySelectorAll('a[href], button, summary, input, select, textarea')]
    .filter((each) => each.checkVisibility() && !each.disabled && each.type !== 'hidden')`
  const count = Number(await page.evaluate(`${all}.length`))
  await page.evaluate('globalThis.seen = new Set(); document.activeElement?.blur()')
  for (let pressed = 0; pressed < count + 3; pressed += 1) {
    await page.keyboard.press('Tab')
    await page.evaluate(`{
      const { activeElement } = document
      const ring = activeElement.closest('[data-part=secret]:has(input:focus)') ?? activeElement
      if (getComputedStyle(ring).outlineStyle !== 'none') seen.add(activeElement)
    }`)
  }
  return page.evaluate(
    // One radio button stands for its group.
    `${all}.filter((each) => !seen.has(each) && each.type !== 'radio').map((each) => each.outerHTML)`,
  )
}

it.skipIf(!here).each(sample('templates of pages', Object.entries(conditions)))(
  'shows the templates well: %s',
  async (name, options) => {
    const context = await browser.newContext(options)
    const page = await context.newPage()
    const complaints = complaintsIn(context)
    const anonymous = [templates.form, templates.notice]
    for (const path of anonymous) await shows(page, path)
    await logIn(page)
    for (const path of Object.values(templates)) if (!anonymous.includes(path)) await shows(page, path)
    // A fault, whose summary has the focus.
    await page.goto(origin + templates.field)
    await page.evaluate('for (const form of document.forms) form.noValidate = true')
    await page.press('[name=new_password]', 'Enter')
    await page.waitForSelector('[data-part=summary]:focus')
    await shows(page, null)
    expect(await page.title()).toMatch(/^\S+ ?: /)
    expect(complaints.filter((each) => !/status of 4/.test(each))).toEqual([])
    expect(await page.getAttribute('html', 'dir')).toBe(name === 'right to left' ? 'rtl' : 'ltr')
    await context.close()
  },
)

/** @param path `null` for the page that is open */
async function shows(page: Page, path: string | null): Promise<void> {
  if (path !== null) await page.goto(origin + path)
  const found = {
    violations: await findings(page),
    overflows: await overflows(page),
    small: await smallTargets(page),
    unreached: await unreached(page),
    primary: (await page.locator('main [data-kind=primary]').count()) > 1,
  }
  const nothing = { violations: [], overflows: false, small: [], unreached: [], primary: false }
  expect([path, found]).toEqual([path, nothing])
}

it.skipIf(!here)('is another product with the style sheet of docs/guides/pages.md', async () => {
  const [sheet] = blocksOf('docs/guides/pages.md').filter(({ language }) => language === 'css')
  const code = sheet?.code ?? ''
  expect(code.trim().split('\n').length).toBeLessThanOrEqual(20)
  const { app } = await pagesApp({}, { brand: { stylesheet: '/look.css' } }, (host) => {
    host.get('/look.css', (_, reply) => reply.type('text/css').send(code))
  })
  await app.listen({ port: 0, host: 'localhost' })
  const ours = app.listeningOrigin.replace('127.0.0.1', 'localhost')
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await browser.newPage({ colorScheme })
    // In this app `baseUrl` is elsewhere, which the file must come from.
    await page.route('http://localhost:3000/look.css', (route) =>
      route.fulfill({ contentType: 'text/css', body: code }),
    )
    await page.goto(`${ours}/login/`)
    const look = await page.evaluate(`(() => {
      const { fontFamily, borderRadius } = getComputedStyle(document.querySelector('main button[data-kind=primary]'))
      return [fontFamily, borderRadius, getComputedStyle(document.querySelector('h1')).fontWeight]
    })()`)
    expect(look).toEqual(['Georgia, serif', '20px', '400'])
    expect(await findings(page)).toEqual([])
    await page.close()
  }
})

it.skipIf(!here)('works without a script, and moves nothing where motion is unwanted', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false, locale: 'en' })
  const page = await context.newPage()
  await logIn(page)
  await page.click('header summary')
  await page.click('header button')
  await page.waitForURL('**/logged-out/')
  await context.close()
})
