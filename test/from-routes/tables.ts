import { read } from '@fastify-accounts/test-support/source'
import type { Described } from './routes.js'

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [
    `| ${head.join(' | ')} |`,
    `|${'---|'.repeat(head.length)}`,
    ...rows.map((cells) => `| ${cells.join(' | ')} |`),
  ]
    .join('\n')
    .replaceAll(/\| {2}(?=\|)/g, '| ')

const code = (text: string): string => `\`${text}\``

/** `RecoveryCodes` as words, and what is known by another name. */
function wordsOf(component: string): string {
  const known: Readonly<Record<string, string>> = {
    User: 'own user',
    PublicUser: 'public or own user',
    UserPage: 'public users',
    Detail: '',
  }
  return known[component] ?? component.replaceAll(/(?<=.)[A-Z]/g, (letter) => ` ${letter}`).toLowerCase()
}

function who({ access, isLink, operation: { authorize = [], errors = [] } }: Described): string {
  const isKnown = !access.startsWith('anyone')
  const rules = authorize.map((rule) => code(`authorize.${rule}`))
  if (isLink) return 'link holder'
  if (!isKnown) return rules.join(', ') || 'anyone'
  const isSometimes = errors.includes('ACCOUNTS_CONFIRMATION_REQUIRED') ? ['sometimes a recent login'] : []
  return ['logged in', ...(access === 'logged-in' ? isSometimes : ['recent login']), ...rules].join(', ')
}

function responseOf({ linkPage, operation: { redirects }, schema: { response } }: Described): string {
  const replies = Object.entries(response as Record<string, object>).filter(([status]) => status < '3')
  const said = replies.map(([status, reply]) => {
    const name = (reply as { [name: symbol]: string })[Symbol.for('fastify-accounts.component')] ?? ''
    return `${status} ${wordsOf(name)}`.trim()
  })
  if (!linkPage || redirects) return said.join(', or ')
  return said[0]?.startsWith('200') ? '200 page' : ['200 page', ...said].join(', or ')
}

/** The section that describes a route: the first with a line that begins with a method and has this one and its path. */
function sectionOf({ method, path }: Described, page: string): string {
  let heading: string | undefined
  for (const line of page.split('\n')) {
    heading = /^#{2,} (.*)/.exec(line)?.[1] ?? heading
    const paths = Array.from(line.matchAll(/\/[\w{}/.-]*[}/]/g), ([found]) => found)
    if (/^(GET|POST|PATCH|DELETE)\b/.test(line) && line.includes(method) && paths.includes(path))
      if (heading !== undefined)
        return heading
          .toLowerCase()
          .replaceAll(/[^\w -]/g, '')
          .replaceAll(' ', '-')
  }
  throw new Error(
    `docs/routes.md has no section of ${method} ${path}: a line that begins with it, below a heading`,
  )
}

/** What each route takes and returns; methods of a path and both variants with the same cells in one row. */
function overview(routes: readonly Described[]): string {
  const page = read('docs/routes.md')
  const byPath = new Map<string, { path: string; methods: string[]; cells: string }>()
  for (const route of routes) {
    const path = `[${route.path}](#${sectionOf(route, page)})`
    const cells = `${who(route)} | ${responseOf(route)}`
    const key = `${path} ${cells}`
    const { methods } = byPath.get(key) ?? { methods: [] }
    byPath.set(key, { path, methods: [...methods, route.method], cells })
  }
  const byVariant = new Map<string, { paths: string[]; methods: string[]; cells: string }>()
  for (const { path, methods, cells } of byPath.values()) {
    const key = [methods, path.replace(/^\[\/signup\//, '[/user/'), cells].join(' ')
    const { paths } = byVariant.get(key) ?? { paths: [] }
    byVariant.set(key, { paths: [...paths, path], methods, cells })
  }
  return table(
    ['Method', 'Path', 'Who', 'Response'],
    [...byVariant.values()].map(({ paths, methods, cells }) => [methods.join(', '), paths.join(', '), cells]),
  )
}

/** The client's method for a route. */
function clientMethod({ id, entry }: Described): string {
  return entry === null || entry === 'passkeys' || entry === 'providers' ? '' : code(id)
}

/** What each route is called; methods of a path with the same names in one row. */
function names(routes: readonly Described[]): string {
  const rows = new Map<string, Described[]>()
  for (const route of routes) {
    const key = [route.path, route.name, route.action, route.entry].join(' ')
    rows.set(key, [...(rows.get(key) ?? []), route])
  }
  return table(
    ['Route', 'Name', 'Client method', 'Audit action'],
    [...rows.values()].map((same) => {
      const [{ path, name, action, entry }] = same as [Described]
      const calls = [...new Set(same.map(clientMethod))].filter(Boolean).join(', ')
      return [
        `${same.map(({ method }) => method).join(', ')} ${path}`,
        code(name),
        [entry ? code(`…/${entry}`) : '', calls].filter(Boolean).join(' '),
        action === name ? '' : code(action),
      ]
    }),
  )
}

/** The routes that do the same as each method of `app.accounts`. */
function methods(routes: readonly Described[]): string {
  const byMethod = new Map<string, string[]>()
  for (const { host, method, path } of routes) {
    // Those of a group are on the page of their feature.
    if (/^\w+\(\)$/.test(host)) byMethod.set(host, [...(byMethod.get(host) ?? []), `${method} ${path}`])
  }
  return table(
    ['Method', 'Routes that do the same'],
    [...byMethod].map(([method, same]) => [code(method), same.join(', ')]),
  )
}

/** A page with what stands between the markers of a table replaced. */
function within(page: string, tables: Readonly<Record<string, string>>): [page: string, text: string] {
  let text = read(page)
  for (const [name, rows] of Object.entries(tables)) {
    const [begin, end] = [`<!-- from the routes: ${name} -->`, '<!-- end -->']
    const start = text.indexOf(begin)
    const stop = text.indexOf(end, start)
    if (start < 0 || stop < 0) throw new Error(`${page} lacks ${begin} … ${end}`)
    text = `${text.slice(0, start + begin.length)}\n\n${rows}\n\n${text.slice(stop)}`
  }
  return [page, text]
}

/** The pages with tables that are written from the routes, by path. */
export function pagesWithTables(routes: readonly Described[]): Map<string, string> {
  return new Map([
    within('docs/routes.md', {
      overview: overview(routes.filter(({ isAlways }) => isAlways)),
      names: names(routes),
    }),
    within('docs/guides/without-http.md', { methods: methods(routes) }),
  ])
}
