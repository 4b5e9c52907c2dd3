import { goodPassword, otherPassword } from '@fastify-accounts/test-support/app'
import { codeIn } from '@fastify-accounts/test-support/email-code'
import type { Mail } from 'fastify-accounts'
import { expect, it } from 'vitest'
import { ada as account, createAda, everyFeature, isPage } from './every-feature.js'
import { type Form, formsOf, leadsOn } from './forms.js'
import { type Browser, browser, later, pagesApp } from './pages-app.js'
import { pathOf, walk } from './walk.js'

const fields = {
  type: 'object',
  properties: { motto: { type: 'string', title: 'Motto', maxLength: 20 } },
} as const

/** An app with everything on, the pages that it has, and those that were shown. */
async function everything() {
  const has = new Set<string>()
  const shown = new Set<string>()
  const world = await pagesApp({}, { ...everyFeature(), users: { fields } }, (app) => {
    app.addHook('onRoute', ({ url, method, config }) => {
      if (isPage(config) && [method].flat().includes('GET') && url.endsWith('/')) has.add(url)
    })
    app.addHook('onResponse', async ({ method, routeOptions: { url = '', config } }, { statusCode }) => {
      if (isPage(config) && method === 'GET' && statusCode < 400) shown.add(url)
    })
  })
  return { ...world, has, shown }
}

/** Pages that no link leads to. */
const starts = {
  visitor: ['/login/', '/login/code/', '/signup/', '/forgot/', '/logged-out/', '/done/'],
  ada: [
    '/account/',
    '/change-password/form/',
    '/logout/',
    '/confirm/?next=/account/',
    '/account/password/remove/',
  ],
}

/** Pages that a walk doesn't reach, because more than a form leads to them: other tests are about them. */
const testedElsewhere = [
  ...['/account/passkeys/:id/', '/account/passkeys/:id/remove/', '/account/two-step/app/code/'],
  ...['/enroll/', '/language/', '/links/new/', '/signup/sent/'],
]

/** More than choices, which are made again at once. */
const isTypedIn = ({ names, typed }: Form): boolean =>
  names.length > typed.filter(({ kind }) => kind === 'choice').length

/** Recovery codes that the last page showed. */
const codesOn = ({ page }: Browser): string[] =>
  [...(page?.html ?? '').matchAll(/<li><code>([^<]+)<\/code>/g)].map(([, code = '']) => code)

it('keeps what was typed in every form, and shows no error again after a success', async () => {
  const world = await everything()
  const { app, has, shown, users, mails, settle } = world
  const { email } = account
  const { browser: first, codes: firstCodes } = await createAda(world)
  const lastCode = async (of: Mail['kind']) => {
    await settle()
    const mail = mails.findLast(({ kind }) => kind === of)
    return mail === undefined ? '' : codeIn(mail)
  }
  const walked = new Set<string>()

  const visitor = browser(app)
  const forVisitor = async (url: string) => ({
    ...{ username: 'eve', email: 'eve@example.org', motto: 'Onward' },
    ...{
      password: goodPassword,
      new_password: goodPassword,
      code: await lastCode(url.startsWith('/forgot/') ? 'reset-password' : 'login-code'),
    },
  })
  const leave = () => void visitor.cookies.delete('session')
  expect(await walk(visitor, starts.visitor, leave, forVisitor, walked)).toEqual([])

  const ada = browser(app)
  let [password, next] = [goodPassword, otherPassword]
  let codes = firstCodes
  for (const [name, value] of first.cookies) ada.cookies.set(name, value)
  const logIn = async () => {
    const fresh = codesOn(ada)
    if (fresh.length > 0) codes = fresh
    if (ada.cookies.has('session')) return
    await ada.open('/login/')
    await ada.submit('Log in', { username: email, password })
    if (!ada.page.url.startsWith('/login/second-factor/')) return
    await ada.open('/login/second-factor/?by=recovery-code')
    await ada.submit('Continue', { code: codes.pop() ?? '' })
  }
  const forAda = async (url: string) => {
    const name = url === '/account/delete/' ? 'ada-lovelace' : 'Globex'
    const passwords = { password, old_password: password, new_password: next }
    if (url === '/account/password/') [password, next] = [next, password]
    return {
      username: 'ada-lovelace',
      email: 'new@example.org',
      motto: 'Onward',
      name,
      slug: 'globex',
      ...passwords,
    }
  }
  expect(await walk(ada, starts.ada, logIn, forAda, walked)).toEqual([])
  expect(await users.findByEmail(email)).toBeNull()
  expect([...has].filter((page) => !shown.has(page)).sort()).toEqual(testedElsewhere)
})

it('leads on from pages of what is not there', async () => {
  const { app, has } = await everything()
  await app.accounts.createUser({ username: 'ada', password: goodPassword })
  const ada = browser(app)
  await ada.open('/account/')
  await ada.submit('Log in', { username: 'ada', password: goodPassword })
  for (const path of [...has].filter((each) => each.includes(':'))) {
    const page = await ada.open(path.replaceAll(/:\w+/g, 'nothing'))
    expect(page.status, path).toBeOneOf([200, 404])
    expect(leadsOn(page), path).toBe(true)
  }
})

it('asks for a confirmation before a form, never after it was filled in', async () => {
  const { app, has } = await everything()
  const email = 'ada@example.org'
  await app.accounts.createUser({ username: 'ada', password: goodPassword, email, isVerified: true })
  const ada = browser(app)
  await ada.open('/account/')
  await ada.submit('Log in', { username: 'ada', password: goodPassword })
  later(20)
  const confirmed: string[] = []
  for (const path of [...has].filter((each) => !each.includes(':') && each !== '/confirm/')) {
    const page = await ada.open(path)
    if (page.url.startsWith('/confirm/')) confirmed.push(path)
    if (pathOf(page.url) !== path) continue
    for (const { button, names, typed } of formsOf(page).filter(isTypedIn)) {
      await ada.open(path)
      const odd = Object.fromEntries(typed.map(({ name, value }) => [name, value]))
      const { url } = await ada.submit(button, odd)
      expect(pathOf(url), `${names} at ${path}`).not.toBe('/confirm/')
    }
  }
  const sensitive = ['email', 'password/remove', 'export', 'delete'].map((each) => `/account/${each}/`)
  expect(confirmed).toEqual(expect.arrayContaining(sensitive))
})
