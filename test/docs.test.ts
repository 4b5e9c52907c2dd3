import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { migrationSql } from '@fastify-accounts/kysely'
import {
  accountsFiles,
  type Node,
  nodesOf,
  parse,
  read,
  root,
  typeScriptIn,
} from '@fastify-accounts/test-support/source'
import { userStoreCases } from '@fastify-accounts/testing'
import Fastify from 'fastify'
import accounts, { createMemoryUserStore, errorTable, invitations, linkPurposes } from 'fastify-accounts'
import { describe, expect, it } from 'vitest'
import { en as keyTexts } from '../packages/accounts/src/features/api-keys/texts.js'
import { composeFeatures } from '../packages/accounts/src/features/compose.js'
import { en as codeTexts } from '../packages/accounts/src/features/email-code/texts.js'
import type { Feature } from '../packages/accounts/src/features/feature.js'
import { en as invitationTexts } from '../packages/accounts/src/features/invitations/texts.js'
import { en as factorTexts } from '../packages/accounts/src/features/second-factor/texts.js'
import { shippedFeatures, shippedFor } from '../packages/accounts/src/features/shipped.js'
import { en as verifyTexts } from '../packages/accounts/src/features/verification/texts.js'
import { eventData } from '../packages/accounts/src/http/openapi/schemas.js'
import { reservedUsernames } from '../packages/accounts/src/identifiers/reserved-usernames.js'
import { en as shared } from '../packages/accounts/src/languages/en.js'
import { resolveOptions } from '../packages/accounts/src/options/resolve.js'
import { warningTable } from '../packages/accounts/src/start/warnings.js'
import { en as organizationTexts } from '../packages/organizations/src/texts.js'
import { en as passkeyTexts } from '../packages/passkeys/src/texts.js'
import { en as providerTexts } from '../packages/providers/src/texts.js'
import { clientModules } from './from-routes/client.js'
import { operationModules } from './from-routes/operations.js'
import { describedRoutes, featurePackages } from './from-routes/routes.js'
import { pagesWithTables } from './from-routes/tables.js'

const required = { secret: 'a test needs no better secret than this one', baseUrl: 'https://example.org' }

const { names: brought } = composeFeatures(shippedFeatures)

/** Everything that users read. */
const pages = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md']
for (const name of ['drizzle-store', 'server']) pages.push(`examples/${name}/README.md`)
for (const name of readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })) {
  if (name.endsWith('.md')) pages.push(`docs/${name}`)
}
for (const name of readdirSync(join(root, 'packages'))) {
  if (existsSync(join(root, 'packages', name, 'README.md'))) pages.push(`packages/${name}/README.md`)
}

/** The cells of each table row on a page whose first cell matches. */
function rows(page: string, first: RegExp): string[][] {
  return read(page)
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
    .filter(([cell = '']) => first.test(cell))
}

const inCode = /^`([^`]+)`$/

/** The names in the first cells of a page's tables, without backticks. */
function named(page: string, pattern: RegExp): string[] {
  return rows(page, inCode)
    .map(([cell = '']) => cell.replace(inCode, '$1'))
    .filter((name) => pattern.test(name))
}

/** The members of a string union that a file exports. */
function union(file: string, name: string): string[] {
  for (const node of nodesOf(parse(read(file), file))) {
    if (node.type === 'TSTypeAliasDeclaration' && (node.id as Node).name === name) {
      return [...nodesOf(node.typeAnnotation)].flatMap(({ value }) =>
        typeof value === 'string' ? [value] : [],
      )
    }
  }
  throw new Error(`${file} has no type ${name}`)
}

/** The members of each interface, including inherited ones and those that other files add. */
function interfacesOf(files: readonly string[], folder = 'packages/accounts/src/'): Map<string, Node[]> {
  const interfaces = new Map<string, Node[]>()
  const nodes = files
    .flatMap((file) => [...nodesOf(parse(read(folder + file), file))])
    .filter(({ type }) => type === 'TSInterfaceDeclaration')
  const nameOf = (node: unknown): string => (node as Node).name as string
  for (const { id, body } of nodes) {
    const known = interfaces.get(nameOf(id)) ?? []
    interfaces.set(nameOf(id), [...known, ...((body as Node).body as Node[])])
  }
  for (const { id, extends: bases } of nodes) {
    const inherited = (bases as Node[]).flatMap(({ expression }) => interfaces.get(nameOf(expression)) ?? [])
    interfaces.set(nameOf(id), [...inherited, ...(interfaces.get(nameOf(id)) ?? [])])
  }
  return interfaces
}

/** The names that features add to an interface such as `FeatureActions`. */
function namesIn(list: string): string[] {
  const members = interfacesOf(accountsFiles()).get(list) ?? []
  return members.map(({ key }) => ((key as Node).name ?? (key as Node).value) as string)
}

/** The texts that a member allows whose type is of literals, unions and templates of those. */
function textsOf({ typeAnnotation, literal, types = [], quasis }: Node): string[] {
  if (typeAnnotation !== undefined) return textsOf(typeAnnotation as Node)
  const { value, quasis: parts = quasis, expressions } = (literal ?? {}) as Node
  if (typeof value === 'string') return [value]
  const between = (expressions ?? types) as Node[]
  if (parts === undefined) return between.flatMap(textsOf)
  return (parts as Node[]).reduce<string[]>(
    (texts, part, at) => {
      const { raw } = part.value as { raw: string }
      const fillings = at === 0 ? [''] : textsOf(between[at - 1] as Node)
      return texts.flatMap((text) => fillings.map((filling) => text + filling + raw))
    },
    [''],
  )
}

describe('docs/options', () => {
  const pages = readdirSync(join(root, 'docs/options')).map((name) => `docs/options/${name}`)
  const mailKinds = brought.mailKinds

  /** Interfaces whose members are options, by name. */
  const interfaces = interfacesOf(
    accountsFiles().filter((name) => /^(options\/|features\/|seams\/before\.ts)/.test(name)),
  )

  function optionNames(members: readonly Node[], prefix = ''): string[] {
    return members.flatMap((member) => {
      const name = prefix + ((member.key as Node).name as string)
      if (member.type !== 'TSPropertySignature') return [name]
      const type = withoutUndefined((member.typeAnnotation as Node).typeAnnotation as Node)
      const inner = nested(type, `${name}.`)
      // An option that can only be an object is documented by its members.
      const types = (type.type === 'TSUnionType' ? (type.types as Node[]) : [type]).filter(
        (each) => each.type !== 'TSUndefinedKeyword',
      )
      return types.every((each) => each.type === 'TSTypeLiteral') ? inner : [name, ...inner]
    })
  }

  /** Every optional option may also be `undefined`. */
  function withoutUndefined(type: Node): Node {
    if (type.type !== 'TSUnionType') return type
    const types = (type.types as Node[]).filter((each) => each.type !== 'TSUndefinedKeyword')
    return types.length === 1 && types[0] ? types[0] : { ...type, types }
  }

  function nested(type: Node, prefix: string): string[] {
    if (type.type === 'TSTypeLiteral') return optionNames(type.members as Node[], prefix)
    if (type.type === 'TSUnionType') return (type.types as Node[]).flatMap((each) => nested(each, prefix))
    if (type.type !== 'TSTypeReference') return []
    const name = (type.typeName as Node).name as string
    const [argument] = ((type.typeArguments as Node | null)?.params ?? []) as Node[]
    if (name === 'Some' && argument !== undefined) return nested(argument, prefix)
    if (name === 'EmailTemplates') return mailKinds.map((kind) => prefix + kind)
    // The page describes the two numbers of a limit once.
    return name === 'Limit' ? [] : optionNames(interfaces.get(name) ?? [], prefix)
  }

  /** Each option is a heading, followed by a line with its type and its default. */
  const headed = pages.flatMap((page) =>
    Array.from(read(page).matchAll(/^### `(.+)`\n\n(.+)\n\n(?!#)/gm), ([, name = '', line = '']) => ({
      name,
      line,
    })),
  )

  it('lists exactly the existing options', () => {
    const inSource = optionNames(interfaces.get('AccountsOptions') ?? [])
    expect(inSource).toContain('users.verifyLinks')
    expect(inSource).toContain('throttle.limits.loginAccount')
    const emails = named('docs/options/mails.md', /^emails\./)
    expect([...headed.map(({ name }) => name), ...emails].sort()).toEqual(inSource.sort())
  })

  it('say the type of each, and its default or that it is required', () => {
    const lines = headed.map(({ line }) => line)
    expect(lines.filter((line) => !/^.+ · (default: .+|required)$/.test(line))).toEqual([])
  })

  it('states the actual defaults', () => {
    const resolved = resolveOptions({ ...required, users: true }, brought)
    const { password, session, links, limits, users, adapterTimeout, decorateAs } = resolved
    if (limits === false || users === false) throw new Error('these are on by default')
    const { variant, verifyLinks } = users
    const { requireEmailConfirmation } = resolved
    const inForce: Record<string, string> = {
      'password.minLength': `${password.minLength}`,
      'password.maxLength': `${password.maxLength}`,
      'session.cookieName': `\`'${session.cookieName}'\``,
      'session.idleTimeout': duration(session.idleTimeout),
      'session.absoluteTimeout': duration(session.absoluteTimeout),
      'session.confirmLifetime': duration(session.confirmLifetime),
      'session.newDeviceMail': `\`${session.newDeviceMail}\``,
      'session.clearSiteData': `\`${session.clearSiteData}\``,
      'session.ip': `\`'${session.ip}'\``,
      'links.resetLifetime': duration(links.resetLifetime),
      'links.verifyLifetime': duration(links.verifyLifetime),
      'links.changeEmailLifetime': duration(links.changeEmailLifetime),
      'links.undoLifetime': duration(links.undoLifetime),
      'users.variant': `\`'${variant}'\``,
      requireEmailConfirmation: `\`${requireEmailConfirmation}\``,
      'users.verifyLinks': `\`'${verifyLinks}'\``,
      users: `\`${resolveOptions(required, brought).users}\``,
      adapterTimeout: duration(adapterTimeout),
      'decorateAs.instance': `\`'${decorateAs.instance}'\``,
      'decorateAs.request': `\`'${decorateAs.request}'\``,
    }
    for (const [name, { max, window }] of Object.entries(limits)) {
      inForce[`throttle.limits.${name}`] = `${max} in ${duration(window)}`
    }
    const onPage = headed.map(({ name, line }) => [name, line.replace(/^.* · default: /, '')])
    expect(Object.fromEntries(onPage)).toMatchObject(inForce)
  })

  function duration(milliseconds: number): string {
    const units: [string, number][] = [
      ['day', 86_400_000],
      ['hour', 3_600_000],
      ['minute', 60_000],
      ['second', 1000],
    ]
    for (const [unit, length] of units) {
      const count = milliseconds / length
      if (Number.isInteger(count)) return `${count} ${unit}${count === 1 ? '' : 's'}`
    }
    return `${milliseconds} ms`
  }
})

describe('docs/README.md', () => {
  it('lists every page once, for the site to show it', () => {
    const listed = [...read('docs/README.md').matchAll(/^- \[[^\]]+\]\(([^.)][^)]*)\)/gm)].map(
      ([, page]) => page,
    )
    const there = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.md'),
    )
    expect(listed.toSorted()).toEqual(there.filter((name) => name !== 'README.md').toSorted())
  })

  // Long tables that a run of the tests or of the benchmark writes, beside what it runs.
  it.each([
    ['test/catalogue/README.md', 'security.md'],
    ['packages/benchmark/README.md', 'benchmarks.md'],
  ])('leaves the link to %s to %s', (detail, summary) => {
    expect(read(`docs/${summary}`)).toContain(`](../${detail})`)
  })
})

describe('docs', () => {
  it('can be read: at most 120,000 words', () => {
    const words = pages
      .filter((page) => page.startsWith('docs/'))
      .flatMap((page) => read(page).match(/\S+/g) ?? [])
    expect(words.length).toBeGreaterThan(50_000)
    expect(words.length).toBeLessThanOrEqual(120_000)
  })
})

describe('docs/versioning.md', () => {
  const runsOn = (name: string) =>
    rows('docs/versioning.md', new RegExp(`^${name}$`))[0]?.[1]?.replaceAll('`', '')

  it('states the versions that the packages require', () => {
    const { engines, peerDependencies } = JSON.parse(read('packages/accounts/package.json'))
    const { peerDependencies: ofKysely } = JSON.parse(read('packages/kysely/package.json'))
    expect(runsOn('Node.js')).toBe(engines.node)
    expect(runsOn('Fastify')).toBe(peerDependencies.fastify)
    expect(runsOn('Kysely')).toBe(ofKysely.kysely)
  })

  it('is right that columns added by later versions are nullable or have a default', () => {
    /** What a statement adds that a row without it can't be inserted into. */
    const needed = (statement: string) =>
      statement
        .split(/\badd column\b/i)
        .slice(1)
        .filter((column) => /not null/i.test(column) && !/\bdefault\b/i.test(column))
    expect(needed('alter table a add column b int not null default 0, add column c int')).toEqual([])
    expect(needed('alter table a add column b int not null')).toHaveLength(1)
    for (const engine of ['sqlite', 'postgres', 'mysql'] as const) {
      for (const statement of migrationSql(engine).match(/^alter table .*$/gim) ?? [])
        expect(needed(statement), statement).toEqual([])
    }
  })

  it('is right that the changelog names each migration', () => {
    const steps = [...migrationSql('postgres').matchAll(/^-- (\w+)/gm)].map(([, name]) => name)
    expect(steps).toContain('0001_accounts')
    for (const step of steps) expect(read('CHANGELOG.md')).toContain(`\`${step}\``)
  })
})

describe('docs/errors.md', () => {
  it('lists exactly the existing codes, with their statuses', () => {
    const onPage = rows('docs/errors.md', /^`ACCOUNTS_/).map(([code = '', status]) => [
      code.replace(inCode, '$1'),
      Number(status),
    ])
    const inSource = Object.entries(errorTable).map(([code, [status]]) => [code, status])
    expect(onPage).toEqual(inSource)
  })

  it('lists exactly the existing field codes', () => {
    const onPage = rows('docs/errors.md', inCode).filter(
      ([cell = '', code = '']) => /^`[a-z_]+`$/.test(cell) && !code.startsWith('`ACCOUNTS_'),
    )
    expect(onPage.map(([cell = '']) => cell.replace(inCode, '$1'))).toEqual(
      union('packages/accounts/src/errors.ts', 'FieldErrorCode'),
    )
  })

  /** Every reason of the core and of the shipped features, below its code. */
  const declared = new Set(
    [
      shared,
      keyTexts,
      codeTexts,
      factorTexts,
      invitationTexts,
      verifyTexts,
      passkeyTexts,
      providerTexts,
      organizationTexts,
    ].flatMap(({ reasons }) =>
      Object.entries(reasons).flatMap(([code, texts]) =>
        Object.keys(texts).map((reason) => `${code} ${reason}`),
      ),
    ),
  )

  it('lists exactly the existing reasons, as the client does', () => {
    const onPage = rows('docs/errors.md', /^`[a-z_]+`(, `|$)/).flatMap(([reasons = '', code = '']) =>
      code.startsWith('`ACCOUNTS_')
        ? [...reasons.matchAll(/`([a-z_]+)`/g)].map(([, reason]) => `${code.replace(inCode, '$1')} ${reason}`)
        : [],
    )
    expect(onPage.toSorted()).toEqual([...declared].sort())
    const [, ofClient = ''] =
      /interface ErrorReasons \{\n(.*?)\n\}/s.exec(read('packages/client/src/error.ts')) ?? []
    const inClient = ofClient
      .split(/^ {2}(?=\w)/m)
      .flatMap((line) => [...line.matchAll(/'(\w+)'/g)].map(([, reason]) => `${/^\w+/.exec(line)} ${reason}`))
    expect(inClient.toSorted()).toEqual([...declared].sort())
  })

  it('lists every reason that is thrown, and only such', () => {
    const sources = ['accounts', ...featurePackages].flatMap((name) =>
      typeScriptIn(`${root}packages/${name}/src/`)
        .filter((file) => !/texts\.ts$|languages\//.test(file))
        .map((file) => read(`packages/${name}/src/${file}`)),
    )
    const thrown = sources.flatMap((text) =>
      [...text.matchAll(/AccountsError\(\s*'(ACCOUNTS_\w+)',\s*\{[^}]*?reason:[^,}]*?'(\w+)'/g)].map(
        ([, code, reason]) => `${code} ${reason}`,
      ),
    )
    expect(new Set(thrown).size).toBeGreaterThan(15)
    expect(thrown.filter((each) => !declared.has(each))).toEqual([])
    // A factor says its own, and what is asked for is composed of the names of factors.
    const others = [...declared].filter((each) => !thrown.includes(each))
    const composed = /^ACCOUNTS_(SECOND_FACTOR|CONFIRMATION)_REQUIRED /
    const ofFactors = ['ACCOUNTS_INVALID_CODE app_turned_off']
    expect(others.filter((each) => !composed.test(each))).toEqual(ofFactors)
  })
})

describe('docs/warnings.md', () => {
  it('lists exactly the existing warnings', () => {
    const source = 'packages/pages/src/'
    const ofPages = typeScriptIn(root + source).flatMap((file) =>
      [...read(source + file).matchAll(/'(ACCOUNTS_WARN_\w+)'/g)].map(([, code = '']) => code),
    )
    const listed = named('docs/warnings.md', /^ACCOUNTS_WARN_/)
    expect(listed.toSorted()).toEqual([...Object.keys(warningTable), ...ofPages].toSorted())
  })
})

describe('docs/events.md', () => {
  const audit = 'packages/accounts/src/http/guard/audit.ts'

  it('lists every field of an audit event', () => {
    const members = [...nodesOf(parse(read(audit), audit))].find(
      (node) => node.type === 'TSInterfaceDeclaration' && (node.id as Node).name === 'AuditEvent',
    )
    if (members === undefined) throw new Error(`${audit} has no AuditEvent`)
    const fields = ((members.body as Node).body as Node[]).map((member) => (member.key as Node).name)
    const listed = named('docs/events.md', /./)
    expect(listed).toEqual(expect.arrayContaining(fields))
  })

  it('lists exactly the types of events, each with what its data has', () => {
    const namesOf = (cell: string): string[] =>
      Array.from(cell.matchAll(/`([\w.]+)`/g), ([, name = '']) => name)
    const described = rows('docs/events.md', /^`\w+\.\w+`/).flatMap(([types = '', , data = '']) =>
      namesOf(types).map((type) => [type, namesOf(data).toSorted()]),
    )
    const existing = Object.entries(eventData).map(([type, schema]) => [
      type,
      Object.keys('properties' in schema ? schema.properties : {}).toSorted(),
    ])
    for (const name of featurePackages) {
      const own = interfacesOf(['names.ts'], `packages/${name}/src/`).get('FeatureEvents') ?? []
      for (const { key, typeAnnotation } of own) {
        const { members } = (typeAnnotation as Node).typeAnnotation as Node
        const names = (members as Node[]).map((member) => (member.key as Node).name as string)
        existing.push([(key as Node).value as string, names.toSorted()])
      }
    }
    expect(described.toSorted()).toEqual(existing.toSorted())
  })
})

describe('the guides to app.accounts', () => {
  const interfaces = interfacesOf(accountsFiles())
  const keysOf = (name: string): string[] =>
    (interfaces.get(name) ?? []).map(({ key }) => (key as Node).name as string)

  it('name every property of request.user', () => {
    const page = read('docs/guides/own-routes.md')
    const properties = keysOf('AccountUser')
    expect(properties).toContain('hasPassword')
    for (const property of properties) expect(page).toContain(`\`${property}\``)
  })

  it('show every method for code without a request', () => {
    const hooks = ['loadUser', 'logIn', 'perform', 'userOf', 'keyOf', 'refuseCrossSite']
    const methods = keysOf('Accounts').filter((name) => !name.startsWith('require') && !hooks.includes(name))
    expect(methods).toContain('secureUser')
    const page = read('docs/guides/without-http.md')
    for (const method of methods.filter((name) => name !== 'events'))
      expect(page).toContain(`app.accounts.${method}(`)
  })
})

describe('what is written from the routes', () => {
  it('is what they say', async () => {
    const routes = await describedRoutes()
    for (const [path, text] of [
      ...pagesWithTables(routes),
      ...clientModules(routes),
      ...operationModules(routes),
    ])
      await expect(text, `${path} is stale: npm run routes`).toMatchFileSnapshot(root + path)
    const own = routes.filter(({ entry }) => !featurePackages.includes(entry ?? ''))
    expect(namesIn('FeatureActions').sort()).toEqual([...new Set(own.map(({ action }) => action))].sort())
    const declared = (list: string) => (interfacesOf(accountsFiles()).get(list) ?? []).flatMap(textsOf)
    const ours = routes.filter(({ feature }) => !featurePackages.includes(feature))
    expect(new Set(declared('FeatureActions'))).toEqual(new Set(ours.map(({ name }) => name)))
    const links = [...shippedFor({ login: { emailCode: true } }), invitations() as Feature].flatMap(
      (feature) => Object.values(feature.links ?? {}),
    )
    const mailed = links.flatMap(({ route }) => (typeof route === 'string' ? [route] : Object.values(route)))
    expect(new Set(declared('FeatureLinks'))).toEqual(new Set(mailed))
    // These two are written by hand.
    const calls = ['passkeys', 'providers'].flatMap((entry) =>
      Array.from(
        read(`packages/client/src/${entry}.ts`).matchAll(/'([A-Z]+)', '([\w-]+ \/.*?)'/g),
        ([, method, route]) => `${method} ${route}`,
      ),
    )
    expect(calls.length).toBeGreaterThan(15)
    const mounted = routes.map(({ method, name, path }) => `${method} ${name} ${path}`)
    expect(calls.filter((call) => !mounted.includes(call))).toEqual([])
  })
})

describe('docs/emails.md', () => {
  it('lists exactly the existing kinds of mail', () => {
    expect(named('docs/emails.md', /./).sort()).toEqual(brought.mailKinds.toSorted())
  })
})

describe('docs/guides/usernames.md', () => {
  it('lists the reserved names', () => {
    const [section = ''] = /## Reserved names\n[^#]+/.exec(read('docs/guides/usernames.md')) ?? []
    const listed = [...section.matchAll(/`([^`]+)`/g)].map(([, name]) => name)
    expect(listed.sort()).toEqual([...reservedUsernames].sort())
  })
})

describe('docs/routes.md', () => {
  /** Routes as `POST /login/`, from Fastify's router, in case GET /api-root/ omits any. */
  async function inRouter(): Promise<string[]> {
    const found = new Set<string>()
    const app = Fastify()
    app.addHook('onRoute', ({ method, url, schema }) => {
      const isRefusal = schema !== undefined && 'hide' in schema
      for (const each of isRefusal ? [] : [method].flat()) {
        const path = url.replaceAll(/:(\w+)/g, '{$1}')
        const spelling = /[^/]\/$|\{(pk|id)\}$/.test(path) && !/\{(pk|id)\}\/$/.test(path) ? path : null
        if (each !== 'HEAD' && spelling !== null) found.add(`${each} ${spelling}`)
      }
    })
    await app.register(accounts, { ...required, users: true })
    await app.ready()
    await app.close()
    return [...found]
  }

  const onPage = rows('docs/routes.md', /^(GET|POST|PATCH|DELETE)(, (GET|POST|PATCH|DELETE))*$/).flatMap(
    ([methods = '', paths = '']) =>
      [...paths.matchAll(/\[([^\]]+)\]/g)].flatMap(([, path]) =>
        methods.split(', ').map((method) => `${method} ${path}`),
      ),
  )

  it('lists exactly the routes of the router', async () => {
    expect(onPage.toSorted()).toEqual((await inRouter()).sort())
  })

  it('names every limit in the section of a route it applies to', () => {
    const { limits } = resolveOptions(required, brought)
    for (const name of Object.keys(limits || {}))
      expect(read('docs/routes.md')).toMatch(new RegExp(`^.*Limits?: .*\`${name}\``, 'm'))
  })

  it('uses only existing error codes', () => {
    const used = [...read('docs/routes.md').matchAll(/ACCOUNTS_[A-Z_]+/g)].map(([code]) => code)
    expect(used.filter((code) => !(code in errorTable))).toEqual([])
  })
})

describe('samples', () => {
  it('mask the paths of requests wherever they log', () => {
    const logging = pages.flatMap((page) =>
      [...read(page).matchAll(/^ *```(?:js|ts|tsx)\n(.*?)^ *```/gms)]
        .map(([, code = '']) => code)
        .filter((code) => /\blogger\b/.test(code))
        .map((code) => [page, code.includes('serializers: { req: maskedRequest }')]),
    )
    expect(logging.length).toBeGreaterThan(5)
    expect(logging.filter(([, isMasked]) => !isMasked)).toEqual([])
  })
})

describe('docs/adapters/token-signer.md', () => {
  it('lists exactly the purposes of links', async () => {
    // A name that the compiler does not follow: the package adds its names to the types of the whole program.
    const name: string = '@fastify-accounts/providers'
    const { github, providers } = await import(name)
    const feature = providers([github({ clientId: 'app', clientSecret: 'secret' })])
    const { links } = composeFeatures(shippedFor({ login: { emailCode: true } }), [invitations(), feature])
    expect(Object.keys(links).sort()).toEqual([...linkPurposes].sort())
    const listed = [...read('docs/adapters/token-signer.md').matchAll(/^ {4}\| '([a-z-]+)'$/gm)]
    expect(listed.map(([, purpose]) => purpose)).toEqual(linkPurposes)
  })
})

describe('docs/adapters/user-store.md', () => {
  it('leads to each file of the two examples', () => {
    expect(read('docs/adapters/user-store.md')).toContain('(../../examples/drizzle-store/README.md)')
    const folders = [
      ['docs/adapters/user-store.md', 'examples/own-store', '../../examples/own-store/'],
      ['examples/drizzle-store/README.md', 'examples/drizzle-store', ''],
    ] as const
    for (const [page, folder, path] of folders) {
      for (const part of ['src', 'sql'].filter((name) => existsSync(join(root, folder, name)))) {
        for (const name of readdirSync(join(root, folder, part)))
          expect(read(page)).toContain(`(${path}${part}/${name})`)
      }
    }
  })

  it('states the number of laws', () => {
    const count = userStoreCases(createMemoryUserStore).length
    expect(read('docs/adapters/user-store.md')).toContain(` of ${count} laws hold; not checked: `)
  })
})

describe('examples/server/README.md', () => {
  it('lists exactly the variables that the server reads', () => {
    const source = read('examples/server/src/config.ts')
    const inSource = new Set(
      [...source.matchAll(/get\('([A-Z_]+)'\)|environment\.([A-Z_]+)/g)].map(([, a, b]) => a ?? b),
    )
    const onPage = rows('examples/server/README.md', /^`/).flatMap(([cell = '']) =>
      cell.replaceAll('`', '').split(', '),
    )
    expect(onPage.sort()).toEqual([...inSource].sort())
  })
})

describe('what is said of the future', () => {
  /** What may be said, and why. */
  const exceptions: Record<string, string> = {
    'No external security review yet': 'a review is not part of a change, whose author would find this line',
  }
  // The titles of tests say what happens at some moment of a request.
  it.each(pages)('in %s stays true', (page) => {
    const prose = read(page).replaceAll(/```.*?```|`[^`\n]*`/gs, '')
    const promise = /[^.|\n]*\b(?:to come|until then|not yet|no \w+ [^.|\n]*\byet)\b[^.|\n]*/gi
    const promises = [...prose.matchAll(promise)].map(([text]) => text.trim())
    expect(promises.filter((text) => exceptions[text] === undefined)).toEqual([])
  })
})

describe('links', () => {
  it.each(pages)('in %s lead to existing files and headings', (page) => {
    const prose = read(page).replaceAll(/```.*?```|`[^`\n]*`/gs, '')
    for (const [, target = ''] of prose.matchAll(/\]\((?!https?:)([^)]+)\)/g)) {
      const [path = '', heading] = target.split('#')
      const file = path === '' ? page : join(dirname(page), path)
      expect(existsSync(join(root, file)), `${page} links to ${target}`).toBe(true)
      if (heading !== undefined) expect(headingsOf(file), `${page} links to ${target}`).toContain(heading)
    }
  })

  function headingsOf(page: string): string[] {
    return [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, text = '']) =>
      text
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    )
  }
})
