/**
 * What an app can have, as the code has it, against the lists in which people look for it: the features and packages in
 * README.md, which are also on the front page of the site, docs/comparison.md, the site's search and llms.txt. Something
 * new in the code fails here until every list names it.
 */
import { readdirSync } from 'node:fs'
import { indexSite } from '@fastify-accounts/test-support/site-search'
import { read, root, typeScriptIn } from '@fastify-accounts/test-support/source'
import { expect, it } from 'vitest'
import { commands } from '../packages/accounts/src/cli/commands.js'

const { llmsTxt } = await import(/* @vite-ignore */ `../site/${'llms'}.js`)

interface Feature {
  /** Its names in the code: folders of features, exports that return one, and options. */
  code: string[]
  /** What README.md, the front page and the comparison call it. */
  called: RegExp
  /** What people type into the site's search, and the page that is first; it is in llms.txt, too. */
  search: string
  page: string
}

const features: Feature[] = [
  feature(['login', 'option login'], /\blogin/i, 'login', 'routes'),
  feature(['sign-up'], /\bsignup/i, 'signup', 'routes'),
  feature(['password', 'reset'], /password reset/i, 'forgot password', 'routes'),
  feature(['verification'], /email verification/i, 'verify email', 'routes'),
  feature(['email-change'], /email change/i, 'change email', 'routes'),
  feature(['account'], /manage an account/i, 'delete account', 'routes'),
  feature(['devices', 'option session'], /sessions?\b/i, 'logout everywhere', 'guides/sessions'),
  feature(['not-me'], /new[- ]device/i, 'remember me', 'guides/sessions'),
  feature(['confirm'], /re-authentication/i, 'hooks', 'guides/own-routes'),
  feature(['export'], /\bexport/i, 'GDPR export', 'guides/privacy'),
  feature(['activity', 'option activity'], /recent activity/i, 'recent activity', 'guides/activity'),
  feature(['staff'], /managing users|user management/i, 'admin', 'guides/managing-users'),
  feature(['email-code'], /codes by email/i, 'magic link', 'guides/email-code'),
  feature(['second-factor', 'secondFactor()'], /second factor/i, '2FA', 'guides/second-factor'),
  feature(['tokens', 'tokens()'], /refresh tokens/i, 'bearer token', 'tokens'),
  feature(['api-keys', 'apiKeys()'], /API keys/i, 'API keys', 'guides/api-keys'),
  feature(['invitations', 'invitations()'], /invitations/i, 'invite', 'guides/invitations'),
  feature(['passkeys()'], /passkeys/i, 'WebAuthn', 'passkeys'),
  feature(['providers()'], /OpenID Connect|OIDC/, 'social login', 'providers'),
  feature(['organizations()'], /organizations/i, 'multi-tenant', 'guides/organizations'),
  feature(['pages()'], /pages to log in/i, 'login page', 'guides/pages'),
  feature(['option roles', 'option authorize'], /roles/i, 'permissions', 'guides/roles'),
  feature(['option before', 'option signUp'], /\brules\b/i, 'captcha', 'guides/own-rules'),
  feature(['option on'], /events/i, 'webhook', 'events'),
  feature(['option emails'], /emails/i, 'email templates', 'emails'),
  feature(['option ownEmails'], /own emails/i, 'welcome email', 'guides/own-emails'),
  feature(['option languages'], /languages/i, 'i18n', 'languages'),
  feature(['option throttle'], /rate limits/i, 'rate limit', 'options/limits'),
]

/** Options that set something up or change a detail, and aren't looked for as features. */
const settings = [
  ...['secret', 'baseUrl', 'prefix', 'auth', 'users', 'features', 'paths', 'links', 'openapi', 'decorateAs'],
  ...[
    'userStore',
    'sessionStore',
    'invitationStore',
    'mailer',
    'tokenSigner',
    'passwordHasher',
    'adapterTimeout',
  ],
  ...[
    'requireEmailConfirmation',
    'emailAddresses',
    'changePasswordUrl',
    'password',
    'brand',
    'errorResponses',
  ],
  ...['trustedOrigins', 'constraints', 'events', 'auditLog'],
].map((name) => `option ${name}`)

const published = readdirSync(`${root}packages`)
  .map((folder) => ({ folder, ...JSON.parse(read(`packages/${folder}/package.json`)) }))
  .filter((manifest) => manifest.private !== true)

const regionOf = (name: string): string => {
  const [, region] = read('README.md').split(new RegExp(`<!-- #(?:end)?region ${name} -->`))
  return region ?? ''
}
/** A list as people read it, without the addresses of links. */
const prose = (list: string): string => list.replaceAll(/\]\([^)]*\)/g, '').replaceAll('[', '')
const llms: string = llmsTxt({ homepage: 'https://example.org/', description: '' })

it('names each feature of the code, and nothing that has gone', () => {
  const named = [...features.flatMap(({ code }) => code), ...settings]
  const there = inCode()
  const missing = there.filter((name) => !named.includes(name))
  const gone = named.filter((name) => !there.includes(name))
  expect([
    ...missing.map((each) => `${each} is in no list`),
    ...gone.map((each) => `${each} is gone`),
  ]).toEqual([])
})

it.each([
  ['README.md', regionOf('features')],
  ['docs/comparison.md', read('docs/comparison.md')],
])('%s names each feature', (list, text) => {
  const missing = features.filter(({ called }) => !called.test(prose(text)))
  expect(missing.map(({ code, called }) => `${list} doesn't name ${code[0]} (${called})`)).toEqual([])
})

it('README.md leads to the page of each feature', () => {
  const missing = features.filter(({ page }) => !regionOf('features').includes(`(docs/${page}.md`))
  expect(missing.map(({ code, page }) => `README.md leads nobody to docs/${page}.md for ${code[0]}`)).toEqual(
    [],
  )
})

it('the front page has the features and packages of README.md', () => {
  const included = [...read('site/index.md').matchAll(/<!--@include: \.\.\/README\.md#(.+)-->/g)]
  expect(included.map(([, name]) => name)).toEqual(expect.arrayContaining(['features', 'packages']))
})

it("README.md's table has each published package, with its page", () => {
  const missing = published.filter(({ name }) => !regionOf('packages').includes(`| [\`${name}\`](docs/`))
  expect(missing.map(({ name }) => `README.md has no row for ${name}`)).toEqual([])
})

it('llms.txt has the page of each feature and package, and that of the commands', () => {
  const ofPackages = [...regionOf('packages').matchAll(/\]\(docs\/(.+)\.md\)/g)].map(([, page = '']) => page)
  const looked = [...features.map(({ page }) => page), ...ofPackages, 'cli']
  const missing = looked.filter((page) => !llms.includes(`(https://example.org/${page})`))
  expect(missing.map((page) => `llms.txt doesn't have ${page}`)).toEqual([])
})

it('the search finds the page of each feature and package first, and the command line for each command', () => {
  const { search } = indexSite()
  const ofPackages = [...regionOf('packages').matchAll(/\[`(.+)`\]\(docs\/(.+)\.md\)/g)]
  const looked = [
    ...features.map(({ search: words, page }) => [words, page]),
    ...ofPackages
      .filter(([, name]) => name !== 'fastify-accounts')
      .map(([, name = '', page = '']) => [name, page]),
    ...commands.map(({ name }) => [`npx fastify-accounts ${name}`, 'cli']),
  ]
  const misses = looked.flatMap(([words = '', page]) => {
    const [first] = search(words)
    return first?.split('#')[0] === `/${page}`
      ? []
      : [`the search for ${words} shows ${first} before ${page}`]
  })
  expect(misses).toEqual([])
})

// The twenty commands would fill a list of features: README.md and the front page lead to the page that has them all.
it('the page of the command line has each command, and README.md leads there', () => {
  const missing = commands.filter(({ name }) => !read('docs/cli.md').includes(`| [\`${name}\`](#${name}) |`))
  expect(missing.map(({ name }) => `docs/cli.md has no row for ${name}`)).toEqual([])
  expect(regionOf('features')).toContain('(docs/cli.md)')
})

function feature(code: string[], called: RegExp, search: string, page: string): Feature {
  return { code, called, search, page }
}

/** Folders of features, exports of packages that return a feature, and the options of the plugin. */
function inCode(): string[] {
  const folders = readdirSync(`${root}packages/accounts/src/features`, { withFileTypes: true })
  const [, options = ''] = read('packages/accounts/src/options/options.ts').split(
    'export interface AccountsOptions',
  )
  return [
    ...folders.filter((entry) => entry.isDirectory()).map(({ name }) => name),
    ...published.flatMap(({ folder }) => featuresOf(`packages/${folder}/src/`)),
    ...[...options.matchAll(/^ {2}(\w+)\??:/gm)].map(([, name]) => `option ${name}`),
  ]
}

function featuresOf(folder: string): string[] {
  const exported = /^export function (\w+)(?:(?!^export )[\s\S])*?\): \w*Feature \{$/gm
  return typeScriptIn(root + folder)
    .filter((name) => /(^|features\/[\w-]+\/)index\.ts$/.test(name))
    .flatMap((name) => [...read(folder + name).matchAll(exported)].map(([, each]) => `${each}()`))
}
