import { bodies, formatted, header, known, type Schema, typeOf, withReferred } from './client.js'
import { type Described, featurePackages } from './routes.js'

/** Those of the client, and those that its methods put together; options shape the last three. */
const typed: Readonly<Record<string, string>> = {
  ...bodies,
  signUpWithPasskeyOptions: 'NewUser<Fields & SignUp>',
  signUpWithPasskey: 'NewUser<Fields & SignUp> & { response: object }',
  logInWith: 'Partial<{ next: string; remember: boolean }> & UserFields',
  logInWithToken: '{ id_token: string; nonce: string; user?: string; remember?: boolean } & UserFields',
}

/** What `app.accounts.perform` takes for an operation. */
function inputOf({ id, path, operation, schema }: Described): string {
  const { body: whole, querystring } = schema as { body?: Schema; querystring?: Schema }
  const { response } = whole?.properties ?? {}
  // What a browser's script makes is nothing that an app writes.
  const made = response && { response: { type: 'object' } }
  const body = whole && { ...whole, properties: { ...whole.properties, ...made } }
  const names = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => `${name}: string`)
  const link = operation.query?.email ? '; query: { email: string }' : ''
  const params = path.includes('{token}') ? `params: Link${link}` : `params: { ${names.join('; ')} }`
  const asked = id === 'listUsers' ? 'UserQuery' : querystring && typeOf(querystring)
  const type = body && (typed[id] ?? typeOf(body))
  const isOptional = type?.startsWith('Partial') || (!typed[id] && (body?.required ?? []).length === 0)
  const members = [
    ...(names.length > 0 ? [params] : []),
    ...(asked ? [`query?: ${asked}`] : []),
    ...(type ? [`body${isOptional ? '?' : ''}: ${type.replace('SignUp', 'UserFields')}`] : []),
  ]
  if (members.length === 0) return ''
  return `input${members.every((each) => /^\w+\?/.test(each)) ? '?' : ''}: { ${members.join('; ')} }`
}

/** What it returns: the statuses of successes, each with its body. */
function resultOf({ operation, schema: { response } }: Described): string {
  const replies = Object.entries(response as Record<string, Schema>).filter(([status]) => status < '4')
  const results = replies.map(([status, reply]) => {
    if (status === '204' || status.startsWith('3')) {
      const withTokens =
        operation.setsSession && status === '204' ? ' | Performed<200, Required<MaybeTokens>>' : ''
      return `Performed<${status}, undefined>${withTokens}`
    }
    const type = status === '200' && operation.id === 'refreshTokens' ? 'OnlyTokens' : typeOf(reply)
    const isSession = operation.setsSession && status < '202' && type !== 'OnlyTokens'
    return `Performed<${status}, ${type}${isSession ? ' & MaybeTokens' : ''}>`
  })
  // By `requireEmailConfirmation`.
  if (operation.id === 'signUpWithPasskey') results.push('Performed<202, Detail>')
  // Only a redirect.
  return results.join(' | ') || 'Performed<303, undefined>'
}

const ownFields = (type: string): string => type.replaceAll(/<Fields\b/g, '<FieldsOf<Fields>')

/** With the names that types of wire.ts have here, where others are called the same. */
const ownNames = (text: string): string =>
  text.replaceAll(/\b[A-Z]\w+/g, (name) => (known.has(name) && name !== 'AnyFields' ? `${name}Json` : name))

/** The types of the operations of a package, as `app.accounts.perform` has them. */
function operationsOf(routes: readonly Described[]): string {
  return routes.map((route) => ownFields(`${route.id}(${inputOf(route)}): ${resultOf(route)}`)).join('\n')
}

/** A type of wire.ts without its comments. */
const bare = (source: string): string => source.replaceAll(/ *\/\*\*.*?\*\/\n/gs, '').trim()

const own = `/** What an operation returns. */
export interface Performed<Status extends number, Body> {
  status: Status
  body: Body
}

/** Of a session that begins or goes on, where the client keeps tokens. */
export interface MaybeTokens {
  tokens?: Tokens
}`

/** The packages that bring operations: where their declarations are, and how they name the core's. */
const packages = [
  {
    name: 'accounts',
    file: 'features/operations.ts',
    names: '../feature-names.js',
    user: '../user.js',
    wire: './wire.js',
  },
  ...featurePackages.map((name) => ({
    name,
    file: 'operations.ts',
    names: 'fastify-accounts',
    user: 'fastify-accounts',
    wire: 'fastify-accounts/features',
  })),
]

/** The features whose types of wire.ts are declared in their own package: the core has none of its names. */
const withOwnTypes: readonly string[] = ['organizations']

/** The modules of the server that are written from the routes, by path. */
export function operationModules(all: readonly Described[]): Map<string, string> {
  const modules = new Map<string, string>()
  const used = new Set<string>()
  for (const { name, file, names, user, wire } of packages) {
    const routes = all.filter(({ feature, entry }) => {
      return entry !== null && name === (featurePackages.includes(feature) ? feature : 'accounts')
    })
    const text = operationsOf(routes)
    const of = (...from: string[]) => from.filter((each) => new RegExp(`\\b${each}\\b`).test(text)).sort()
    const types = of(...known.keys(), 'Performed', 'MaybeTokens')
    const shared = withReferred([...used])
    const own = withOwnTypes.includes(name)
      ? withReferred(types.filter((type) => known.has(type))).filter((type) => !shared.includes(type))
      : []
    const imported = types.filter((type) => !own.includes(type))
    for (const type of imported) used.add(type)
    const fields = of('FieldsOf', 'UserFields')
    const code = `${header}
${fields.length > 0 ? `import type { ${fields.join(', ')} } from '${user}'` : ''}
import type { ${imported.map(ownNames).sort().join(', ')} } from '${wire}'

${own.map((type) => bare(known.get(type) ?? '')).join('\n\n')}

declare module '${names}' {
interface FeatureOperations<Fields = undefined> {
${text}
}
}
`
    modules.set(`packages/${name}/src/${file}`, code)
  }
  const types = withReferred([...used, 'Tokens'].filter((name) => known.has(name) && name !== 'AnyFields'))
  const wire = [known.get('AnyFields') ?? '', own, ...types.map((name) => known.get(name) ?? '')]
  modules.set(
    'packages/accounts/src/features/wire.ts',
    `${header}\n${[...wire.slice(0, 2), ...wire.slice(2).map(bare)].join('\n\n')}\n`,
  )
  // Biome changes once more what it has formatted once.
  return new Map([...modules].map(([path, code]) => [path, formatted(path, formatted(path, ownNames(code)))]))
}
