import { execFileSync } from 'node:child_process'
import { read, root } from '@fastify-accounts/test-support/source'
import type { Described } from './routes.js'

/** A JSON Schema, as far as TypeBox makes it of ours. */
export interface Schema {
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  enum?: unknown[]
  const?: unknown
}

/** Bodies and results that have a type in wire.ts, by operation: apps name them, or the service's options shape them. */
export const bodies: Readonly<Record<string, string>> = {
  logIn: 'Credentials',
  logInWithSecondFactor: 'SecondFactor',
  updateMe: 'ProfileChange<Fields>',
  updateUser: 'UserChange<Fields>',
  changePassword: 'PasswordChange',
  confirm: 'Confirmation',
  resetPassword: 'NewOwner',
  resetPasswordWithCode: 'NewOwner & { code: string }',
  createUser: 'NewUser<Fields & SignUp>',
  signUp: 'NewUser<Fields & SignUp>',
  verifyUserWithNewPassword: 'NewOwner',
  verifySignupWithNewPassword: 'NewOwner',
  createApiKey: 'ApiKeyRequest',
  createServiceApiKey: 'ApiKeyRequest',
  invite: 'InvitationRequest<Fields>',
  acceptInvitation: 'Partial<NewOwner>',
  createOrganization: 'NewOrganization',
  updateOrganization: 'OrganizationChange',
  addMember: 'NewMember',
  changeMemberRoles: 'MemberChange',
  inviteMember: 'MemberInvitationRequest',
}
/** Components of the OpenAPI document that have another name in wire.ts. */
const renamed: Readonly<Record<string, string>> = { User: 'OwnUser', OpenedVerification: 'Verification' }

const wire = 'packages/client/src/wire.ts'
/** The types of wire.ts, with their source. */
export const known: ReadonlyMap<string, string> = new Map(
  read(wire)
    .split(/\n\n(?=\/\*\*)/)
    .slice(1)
    .map((source) => [/^export (?:type|interface) (\w+)/m.exec(source)?.[1] ?? '', source]),
)

/** These, and those that they refer to. */
export function withReferred(names: readonly string[]): string[] {
  const all = new Set(names)
  // What is added is visited as well.
  for (const name of all) {
    for (const [other = ''] of known.get(name)?.matchAll(/\b[A-Z]\w+/g) ?? [])
      if (known.has(other) && other !== 'AnyFields') all.add(other)
  }
  return [...all].sort()
}

/** The TypeScript type of a schema: one of wire.ts, or written out. */
export function typeOf(schema: Schema): string {
  const component = (schema as { [name: symbol]: string })[Symbol.for('fastify-accounts.component')] ?? ''
  const name = renamed[component] ?? component
  const source = known.get(name)
  if (source !== undefined) return source.includes(`${name}<Fields`) ? `${name}<Fields>` : name
  const { type, properties, required = [], items, anyOf } = schema
  if (schema.enum) return schema.enum.map((value) => `'${value}'`).join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (anyOf) return anyOf.map(typeOf).join(' | ')
  if (Array.isArray(type)) return type.map((each) => typeOf({ type: each })).join(' | ')
  if (type === 'array') return `${items ? typeOf(items) : 'unknown'}[]`
  if (type === 'integer') return 'number'
  if (type !== 'object') return type ?? 'unknown'
  const members = Object.entries(properties ?? {}).map(
    ([key, of]) => `${key}${required.includes(key) ? '' : '?'}: ${typeOf(of)}`,
  )
  return members.length > 0 ? `{ ${members.join('; ')} }` : 'object'
}

/** The names of the arguments of a call, before its options. */
export function argumentsOf({ path, schema: { body, querystring } }: Described): string[] {
  const parameters = path.includes('{token}')
    ? ['link']
    : Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) =>
        name === 'pk' && !path.includes('{id}') ? 'id' : name,
      )
  return [...parameters, ...(querystring ? ['query'] : []), ...(body ? ['body'] : [])]
}

/** The signature of a call. */
function signatureOf(route: Described): string {
  const { id, operation, schema } = route
  // What it returns depends on what is asked for.
  if (id === 'listUsers')
    return '<const Query extends UserQuery = UserQuery>(query?: Query, options?: CallOptions): Promise<Result<UserPage<Fields, Query>, 200>>'
  const typed = argumentsOf(route).map((name) => {
    if (name === 'link') return `link: ${operation.query?.email ? 'EmailLink' : 'Link'}`
    if (name === 'query') return `query?: ${typeOf(schema.querystring as Schema)}`
    if (name !== 'body') return `${name}: string`
    const body = schema.body as Schema
    return `body: ${bodies[id] ?? typeOf(body)}`
  })
  return `(${[...typed, 'options?: CallOptions'].join(', ')}): ${replyOf(route)}`
}

function replyOf({ schema: { response } }: Described): string {
  const replies = Object.entries(response as Record<string, Schema>).filter(([status]) => status < '3')
  const typed = replies.map(([status, reply]) => [status === '204' ? 'undefined' : typeOf(reply), status])
  const [[data, status] = ['undefined', '204'], ...more] = typed
  if (more.length === 0) return `Promise<Result<${data}, ${status}>>`
  return `Promise<${typed.map((each) => `Success<${each.join(', ')}>`).join(' | ')} | Failure>`
}

/** The call of a route. */
function callOf(route: Described): string {
  const { id, method, name, path, mount, schema } = route
  const given = argumentsOf(route)
  const parameters = given.filter((each) => each !== 'query' && each !== 'body')
  const pairs = parameters.map((each) => (path.includes(`{${each}}`) ? each : `pk: ${each}`))
  const params = parameters[0] === 'link' ? 'link' : pairs.length > 0 && `{ ${pairs.join(', ')} }`
  const args = [
    `'${method}'`,
    `'${name} ${path}'`,
    'call',
    schema.body ? 'body' : 'undefined',
    params || (schema.querystring ? '{}' : 'undefined'),
    schema.querystring ? 'query' : 'undefined',
  ]
  while (args.at(-1) === 'undefined') args.pop()
  const reply = replyOf(route)
  const cast = reply.startsWith('Promise<Success') ? ` as ${reply}` : ''
  return `${id}: (${[...given, 'call'].join(', ')}) => ${mount}(${args.join(', ')})${cast},`
}

export const header = '// Written from the routes of the plugin: `npm run routes`.\n'

/** `second-factor` is `SecondFactor`. */
const camelCase = (text: string): string =>
  text.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())

function commentOf({ method, path, operation: { summary }, access }: Described): string {
  const needs = ['confirmed', 'owner'].includes(access) ? '. Requires a recent login' : ''
  const text = `${method} ${path}: ${summary.charAt(0).toLowerCase()}${summary.slice(1)}${needs}.`
  if (text.length < 110) return `/** ${text} */`
  const lines = text.match(/.{1,110}(?: |$)/g) ?? []
  return `/**\n${lines.map((line) => ` * ${line.trim()}\n`).join('')} */`
}

/** The entries with code of their own around the calls. */
const wrapped: Readonly<Record<string, string>> = { '': 'accounts', users: 'users' }

/** The module of an entry, by its file in packages/client/src. */
function moduleOf(entry: string, routes: readonly Described[]): [file: string, code: string] {
  const within = wrapped[entry]
  const subject = camelCase(within ?? entry)
  const type = `${subject}${within === undefined ? 'Client' : 'Calls'}`
  const make = within === undefined ? `create${type}` : `${within}Calls`
  const methods = routes.map((route) => {
    return `${commentOf(route)}\n${route.id}${signatureOf(route)}`
  })
  const mounts = [...new Set(routes.map(({ mount }) => mount))].sort()
  const text = methods.join('\n')
  const generics = ['Fields', 'SignUp'].filter((name) => new RegExp(`\\b${name}\\b`).test(text))
  const declared = generics.map((name) => `${name} extends AnyFields = object`).join(', ')
  const applied = generics.length > 0 ? `<${generics.join(', ')}>` : ''
  const parameters = declared && `<${declared}>`
  const of = new Set(text.match(/\b[A-Z]\w+/g))
  if (generics.length > 0) of.add('AnyFields')
  const types = [...known.keys()].filter((name) => of.has(name)).sort()
  const results = ['Failure', 'Result', 'Success'].filter((name) => of.has(name))
  const hasPages = routes.some(({ schema }) => 'cursor' in ((schema.querystring as Schema)?.properties ?? {}))
  const reexported = withReferred(types.filter((name) => name !== 'AnyFields'))
  const code = `${header}
import type { CallOptions, ClientOptions } from './exchange.js'
import { requestsTo } from './request.js'
import type { ${results.join(', ')} } from './result.js'
${types.length > 0 ? `import type { ${types.join(', ')} } from './wire.js'` : ''}
${within === undefined && hasPages ? "\nexport { cursorOf } from './cursor.js'" : ''}
${within === undefined && reexported.length > 0 ? `export type { ${reexported.join(', ')} } from './wire.js'` : ''}

/** One method for each route, named like its operation in the OpenAPI document. docs/routes.md describes them. */
export interface ${type}${parameters} {
${text}
}

${within === undefined ? '/** A client of one service. Takes the options of `createAccountsClient`. */' : ''}
export function ${make}${parameters}(options: ClientOptions${within === undefined ? ' = {}' : ''}): ${type}${applied} {
${mounts.map((mount) => `const ${mount} = requestsTo(options, options.${mount}Prefix)`).join('\n')}
return {
${routes.map(callOf).join('\n')}
}
}
`
  return [`packages/client/src/${within === undefined ? entry : `${within}-calls`}.ts`, code]
}

/** The modules of the client that are written from the routes, by path. */
export function clientModules(routes: readonly Described[]): Map<string, string> {
  const entries = new Map<string, Described[]>()
  for (const route of routes) {
    const { entry } = route
    if (entry === null || entry === 'passkeys' || entry === 'providers') continue
    entries.set(entry, [...(entries.get(entry) ?? []), route])
  }
  return new Map(
    [...entries].map(([entry, of]) => {
      const [path, code] = moduleOf(entry, of)
      return [path, formatted(path, code)]
    }),
  )
}

/** As `npm run lint` wants it. */
export function formatted(path: string, input: string): string {
  const biome = `${root}node_modules/.bin/biome`
  return execFileSync(biome, ['format', `--stdin-file-path=${path}`], { cwd: root, input, encoding: 'utf8' })
}
