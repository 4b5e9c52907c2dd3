import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { movedPaths, startService } from '@fastify-accounts/test-support/client'
import { mountedOperations } from '@fastify-accounts/test-support/operations'
import { buildSync } from 'esbuild'
import type * as server from 'fastify-accounts'
import { errorTable } from 'fastify-accounts'
import { describe, expect, expectTypeOf, it } from 'vitest'
import type {
  acceptBodies,
  invitationLinkReply,
  invitationListReply,
  inviteBody,
} from '../../accounts/src/features/invitations/schemas.js'
import type { byEither } from '../../accounts/src/features/login/schemas.js'
import type { changePasswordBody } from '../../accounts/src/features/password/schemas.js'
import type { optionalPair } from '../../accounts/src/features/sign-up/schemas.js'
import type { ListQuery } from '../../accounts/src/features/staff/list-query.js'
import type { userChanges } from '../../accounts/src/features/staff/schemas.js'
import type { RolesBody } from '../../accounts/src/http/input/roles-body.js'
import type {
  account,
  emailBody,
  linkParams,
  nameChanges,
  newPassword,
} from '../../accounts/src/http/input/schemas.js'
import { ownUserReply, publicUserReply, userListReply } from '../../accounts/src/http/output/reply-schemas.js'
import type {
  apiRootReply,
  detailReply,
  linkReply,
  sessionListReply,
  verifyReplies,
} from '../../accounts/src/http/output/schemas.js'
import { type ApiKeysClient, createApiKeysClient } from '../src/api-keys.js'
import { defaultPaths } from '../src/client.js'
import type * as client from '../src/index.js'
import { type AccountsClient, createAccountsClient } from '../src/index.js'
import {
  type Acceptance,
  createInvitationsClient,
  type Invitation,
  type InvitationRequest,
  type InvitationsClient,
  type ValidInvitation,
} from '../src/invitations.js'
import { createUsersClient, defaultUserPaths, type UsersClient } from '../src/users.js'

const folder = fileURLToPath(new URL('../src/', import.meta.url))
/** The limit for the bundled client, in bytes after gzip. */
const mostBytes = 4000

const link = { uid64: '{uid64}', token: '{token}', email: '{email}' }
/** Pages for people: a client does the same through other routes. */
const pagesOnly = ['/change-password/form/']
type Routes = Awaited<ReturnType<typeof mountedOperations>>['routes']
const routeOf = (input: unknown, method = 'GET') =>
  `${method} ${decodeURIComponent(String(input).replace(/\?.*/, ''))}`

/** Calls each method with a body and the parameters of its route's path. */
async function call(client: AccountsClient, name: keyof AccountsClient, routes: Routes): Promise<void> {
  const [param, ...more] = routes.get(name)?.match(/\{\w+\}/g) ?? []
  const method = client[name] as (...given: unknown[]) => Promise<unknown>
  if (param === undefined) await method({})
  else await method(more.length > 0 ? link : param, {})
}

/** The same for the client of other users. */
async function callUsers(client: UsersClient, name: keyof UsersClient, routes: Routes): Promise<void> {
  if (name === 'users') return void (await client.users().next())
  const [param] = routes.get(name)?.match(/\{\w+\}/g) ?? []
  const method = client[name] as (...given: unknown[]) => Promise<unknown>
  await method(...(param === undefined ? [{}] : [param, {}]))
}

/** The same for the client of API keys. */
async function callKeys(client: ApiKeysClient, name: keyof ApiKeysClient, routes: Routes): Promise<void> {
  const method = client[name] as (...given: unknown[]) => Promise<unknown>
  await method(...(routes.get(name)?.match(/\{\w+\}/g) ?? []), {})
}

/** The same for the client of invitations. */
async function callInvitations(
  client: InvitationsClient,
  name: keyof InvitationsClient,
  routes: Routes,
): Promise<void> {
  const [param, ...more] = routes.get(name)?.match(/\{\w+\}/g) ?? []
  const method = client[name] as (...given: unknown[]) => Promise<unknown>
  if (param === undefined) await method({})
  else await method(more.length > 0 ? link : param, {})
}

type TypeOf<Schema> = Schema extends { static?: infer Type } ? NonNullable<Type> : never

describe('the client and the server', () => {
  it.each<[string, Record<string, string>]>([
    ['default paths', {}],
    ['every path changed', movedPaths('moved')],
  ])('have the same routes, under the same names, with %s', async (_what, paths) => {
    const { app, routes } = await mountedOperations({ paths })
    await app.close()
    const mounted = [...routes].filter(([, route]) => !pagesOnly.includes(route.replace(/^\w+ /, '')))

    const called = new Map<string, string>()
    for (const name of Object.keys(createAccountsClient()) as (keyof AccountsClient)[]) {
      const recording = createAccountsClient({
        paths,
        async fetch(input, init) {
          called.set(name, routeOf(input, init?.method))
          return Response.json({ results: [], next: null })
        },
      })
      await call(recording, name, routes)
    }
    for (const name of Object.keys(createApiKeysClient()) as (keyof ApiKeysClient)[]) {
      const recording = createApiKeysClient({
        paths,
        async fetch(input, init) {
          called.set(name, routeOf(input, init?.method))
          return Response.json({})
        },
      })
      await callKeys(recording, name, routes)
    }
    for (const name of Object.keys(createInvitationsClient()) as (keyof InvitationsClient)[]) {
      const recording = createInvitationsClient({
        paths,
        async fetch(input, init) {
          called.set(name, routeOf(input, init?.method))
          return Response.json({})
        },
      })
      await callInvitations(recording, name, routes)
    }
    for (const name of Object.keys(createUsersClient()) as (keyof UsersClient)[]) {
      const recording = createUsersClient({
        paths,
        async fetch(input, init) {
          called.set(name, routeOf(input, init?.method))
          return Response.json({ results: [], next: null })
        },
      })
      await callUsers(recording, name, routes)
    }
    // One page after another from the same route.
    expect(called.get('users')).toBe(called.get('listUsers'))
    called.delete('users')
    expect(Object.fromEntries(called)).toEqual(Object.fromEntries(mounted))
  })

  it('use the same route names', async () => {
    const { app } = await startService()
    const index: client.RouteIndex = (await app.inject('/api-root/')).json()
    const mounted = Object.entries(index)
      .map(([name, { href }]) => [name, href.replace('http://127.0.0.1:3000', '')] as const)
      .filter(([, path]) => !pagesOnly.includes(path))
    expect({ ...defaultPaths, ...defaultUserPaths }).toEqual(Object.fromEntries(mounted))
  })

  it('have the same error codes', () => {
    expectTypeOf<client.ServiceErrorCode>().toEqualTypeOf<server.ErrorCode>()
    expectTypeOf<client.FieldErrorCode>().toEqualTypeOf<server.FieldErrorCode>()
    expectTypeOf<client.FieldError>().toEqualTypeOf<server.FieldError>()
    const listed = [...readFileSync(`${folder}error.ts`, 'utf8').matchAll(/^ {2}\| '(ACCOUNTS_\w+)'/gm)]
    expect(listed.map(([, code]) => code)).toEqual(Object.keys(errorTable))
  })

  it('have the same request bodies and queries', () => {
    // A form sends `on` where JSON has `true`.
    expectTypeOf<client.Credentials>().toExtend<TypeOf<typeof byEither>>()
    expectTypeOf<keyof client.Credentials>().toEqualTypeOf<keyof TypeOf<typeof byEither>>()
    expectTypeOf<client.PasswordChange>().toEqualTypeOf<TypeOf<typeof changePasswordBody>>()
    expectTypeOf<client.NewPassword>().toEqualTypeOf<TypeOf<typeof newPassword>>()
    expectTypeOf<{ email: string }>().toEqualTypeOf<TypeOf<typeof emailBody>>()
    expectTypeOf<client.Link>().toEqualTypeOf<TypeOf<typeof linkParams>>()
    // In some apps `null` takes the username away.
    type ProfileBody = TypeOf<typeof nameChanges.optional>
    expectTypeOf<keyof client.ProfileChange>().toEqualTypeOf<keyof ProfileBody>()
    type UserBody = ProfileBody & TypeOf<typeof userChanges> & RolesBody
    expectTypeOf<keyof client.UserChange>().toEqualTypeOf<keyof UserBody>()
    expectTypeOf<Required<client.UserQuery>>().toEqualTypeOf<Required<ListQuery>>()
    type NewUser = TypeOf<typeof account> & TypeOf<typeof optionalPair> & RolesBody
    expectTypeOf<Pick<client.NewUser, keyof client.NewUser>>().branded.toEqualTypeOf<NewUser>()
    expectTypeOf<Acceptance>().branded.toEqualTypeOf<TypeOf<typeof acceptBodies.named>>()
    type InviteBody = TypeOf<typeof inviteBody> & { fields?: object } & RolesBody
    expectTypeOf<InvitationRequest>().branded.toEqualTypeOf<InviteBody>()
  })

  it('have the same response bodies', () => {
    expectTypeOf<client.Detail>().toEqualTypeOf<TypeOf<typeof detailReply>>()
    expectTypeOf<{ valid: boolean }>().toEqualTypeOf<TypeOf<typeof linkReply>>()
    expectTypeOf<Required<client.Verification>>().toEqualTypeOf<TypeOf<typeof verifyReplies.optional>>()
    expectTypeOf<TypeOf<typeof verifyReplies.none>>().toExtend<client.Verification>()
    expectTypeOf<client.SessionList>().toEqualTypeOf<TypeOf<typeof sessionListReply>>()
    expectTypeOf<ValidInvitation>().toEqualTypeOf<TypeOf<typeof invitationLinkReply>>()
    type Listed = TypeOf<typeof invitationListReply>['results'][number]
    expectTypeOf<Invitation>().branded.toEqualTypeOf<Listed>()
    expectTypeOf<client.RouteIndex>().toEqualTypeOf<TypeOf<typeof apiRootReply>>()

    // The user schemas include the app's own fields, so their types don't know the names.
    expectTypeOf<server.OwnUser>().toExtend<client.OwnUser>()
    const own: Record<keyof client.OwnUser, true> = {
      id: true,
      username: true,
      email: true,
      is_verified: true,
      is_staff: true,
      roles: true,
      is_active: true,
      has_password: true,
      created_at: true,
      last_login_at: true,
    }
    const options = { fields: undefined, names: 'required', roles: { support: [] } } as const
    const publicUser = publicUserReply(options, Object.keys(own))
    const page: Record<keyof client.UserPage, true> = { results: true, next: true }
    const names = Object.keys(own).toSorted()
    expect(Object.keys(ownUserReply(options).properties).toSorted()).toEqual(names)
    expect(Object.keys(publicUser.properties).toSorted()).toEqual(names)
    const without = Object.keys(ownUserReply({ ...options, roles: undefined }).properties)
    expect(names.filter((name) => !without.includes(name))).toEqual(['roles'])
    expect(publicUser.required).toEqual(['id', 'username'])
    expect(Object.keys(userListReply(publicUser).properties)).toEqual(Object.keys(page))
  })
})

describe('docs/routes.md', () => {
  it('lists every method with its route, and nothing else', async () => {
    const { app, routes } = await mountedOperations()
    await app.close()
    const page = readFileSync(new URL('../../../docs/routes.md', import.meta.url), 'utf8')
    const rows = [...page.matchAll(/^\| (\w+ \/\S*) \| `[a-z0-9-]+` \| (.*) \|.*\|$/gm)]
    const listed = rows.flatMap(([, route, methods = '']) =>
      Array.from(methods.matchAll(/`(\w+)\(/g), ([, name]) => [name, route]),
    )
    const made: [string, string][] = []
    for (const name of Object.keys(createAccountsClient()) as (keyof AccountsClient)[]) {
      const recording = createAccountsClient({
        async fetch(input, init) {
          made.push([name, routeOf(input, init?.method)])
          return Response.json({ results: [], next: null })
        },
      })
      await call(recording, name, routes)
    }
    for (const name of Object.keys(createApiKeysClient()) as (keyof ApiKeysClient)[]) {
      const recording = createApiKeysClient({
        async fetch(input, init) {
          made.push([name, routeOf(input, init?.method)])
          return Response.json({})
        },
      })
      await callKeys(recording, name, routes)
    }
    for (const name of Object.keys(createInvitationsClient()) as (keyof InvitationsClient)[]) {
      const recording = createInvitationsClient({
        async fetch(input, init) {
          made.push([name, routeOf(input, init?.method)])
          return Response.json({})
        },
      })
      await callInvitations(recording, name, routes)
    }
    for (const name of Object.keys(createUsersClient()) as (keyof UsersClient)[]) {
      const recording = createUsersClient({
        async fetch(input, init) {
          made.push([name, routeOf(input, init?.method)])
          return Response.json({ results: [], next: null })
        },
      })
      await callUsers(recording, name, routes)
    }
    expect(listed.sort()).toEqual(made.sort())
  })
})

describe('the package', () => {
  it('is small', () => {
    const { outputFiles } = buildSync({
      entryPoints: [`${folder}index.ts`],
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'browser',
      write: false,
    })
    const bytes = gzipSync(outputFiles[0]?.contents ?? '').length
    expect(bytes).toBeGreaterThan(500)
    expect(bytes).toBeLessThan(mostBytes)
  })

  it('imports nothing, types included, except in the passkeys entry', () => {
    for (const file of readdirSync(folder)) {
      const imports = [...readFileSync(folder + file, 'utf8').matchAll(/(?:from|import) ?\(?'([^']+)'/g)]
      const foreign = imports.map(([, from]) => from).filter((from) => !from?.startsWith('./'))
      expect(foreign).toEqual(file === 'passkeys.ts' ? ['@simplewebauthn/browser'] : [])
    }
  })
})
