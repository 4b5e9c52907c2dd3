import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { buildSync } from 'esbuild'
import type * as server from 'fastify-accounts'
import { errorTable } from 'fastify-accounts'
import { describe, expect, expectTypeOf, it } from 'vitest'
import {
  type apiRootReply,
  type ChangePasswordBody,
  type ConfirmPasswordBody,
  type CreateUserBody,
  type detailReply,
  type EmailBody,
  type LinkParams,
  type ListQuery,
  type LoginBody,
  ownUserReply,
  type ProfileBody,
  publicUserReply,
  type ResetBody,
  type resetLinkReply,
  type sessionListReply,
  type UserFlagsBody,
  userListReply,
  type verifyReply,
} from '../../accounts/src/routes/schemas.js'
import type * as client from '../src/index.js'
import { type AccountsClient, createAccountsClient } from '../src/index.js'
import { startService } from './support.js'

const folder = fileURLToPath(new URL('../src/', import.meta.url))
/** What the bundled client may weigh, in bytes after gzip. */
const mostBytes = 3000

const link = { uid64: '{uid64}', token: '{token}' }
const emailLink = { ...link, email: '{email}' }
const none = {} as never
/** Pages for people: a client has their deeds by other routes. */
const pagesOnly = ['/change-password/form/']
const routeOf = (input: unknown, method = 'GET') =>
  `${method} ${decodeURIComponent(String(input).replace(/\?.*/, ''))}`

/** One call of each method, by name, so that one without a call does not compile. */
const calls: { [Name in keyof AccountsClient]: (client: AccountsClient) => Promise<unknown> } = {
  login: (to) => to.login(none),
  logout: (to) => to.logout(),
  me: (to) => to.me(),
  updateMe: (to) => to.updateMe({}),
  deleteMe: (to) => to.deleteMe(),
  changePassword: (to) => to.changePassword(none),
  confirmPassword: (to) => to.confirmPassword(none),
  listSessions: (to) => to.listSessions(),
  endSession: (to) => to.endSession('{id}'),
  endOtherSessions: (to) => to.endOtherSessions(),
  changeEmail: (to) => to.changeEmail(none),
  checkEmailChange: (to) => to.checkEmailChange(emailLink),
  confirmEmailChange: (to) => to.confirmEmailChange(emailLink),
  checkEmailUndo: (to) => to.checkEmailUndo(emailLink),
  undoEmailChange: (to) => to.undoEmailChange(emailLink),
  checkEmailKeep: (to) => to.checkEmailKeep(emailLink),
  keepEmailChange: (to) => to.keepEmailChange(emailLink),
  checkEmailRelease: (to) => to.checkEmailRelease(emailLink),
  releaseEmail: (to) => to.releaseEmail(emailLink),
  checkNotMe: (to) => to.checkNotMe(link),
  notMe: (to) => to.notMe(link),
  forgotPassword: (to) => to.forgotPassword(none),
  checkResetLink: (to) => to.checkResetLink(link),
  resetPassword: (to) => to.resetPassword(link, none),
  resetDone: (to) => to.resetDone(),
  apiRoot: (to) => to.apiRoot(),
  createUser: (to) => to.createUser(none),
  listUsers: (to) => to.listUsers(),
  users: (to) => to.users().next(),
  showUser: (to) => to.showUser('{pk}'),
  updateUser: (to) => to.updateUser('{pk}', {}),
  endUserSessions: (to) => to.endUserSessions('{pk}'),
  deleteUser: (to) => to.deleteUser('{pk}'),
  openUserVerification: (to) => to.openUserVerification(link),
  verifyUser: (to) => to.verifyUser(link),
  resendUserVerification: (to) => to.resendUserVerification(none),
  signUp: (to) => to.signUp(none),
  openSignupVerification: (to) => to.openSignupVerification(link),
  verifySignup: (to) => to.verifySignup(link),
  resendSignupVerification: (to) => to.resendSignupVerification(none),
}

describe('the client and the server', () => {
  it('have the same routes', async () => {
    const { app } = await startService()
    const index: client.RouteIndex = (await app.inject('/api-root/')).json()
    const mounted = Object.values(index)
      .map(({ methods, href }) => ({ methods, path: href.replace('http://127.0.0.1:3000', '') }))
      .filter(({ path }) => !pagesOnly.includes(path))
      .flatMap(({ methods, path }) => methods.map((method) => `${method} ${path}`))

    const called = new Set<string>()
    const recording = createAccountsClient({
      async fetch(input, init) {
        called.add(routeOf(input, init?.method))
        return Response.json({ results: [], next: null })
      },
    })
    expect(Object.keys(calls).sort()).toEqual(Object.keys(recording).sort())
    for (const call of Object.values(calls)) await call(recording)
    expect([...called].sort()).toEqual(mounted.sort())
  })

  it('have the same error codes', () => {
    expectTypeOf<client.ServiceErrorCode>().toEqualTypeOf<server.ErrorCode>()
    expectTypeOf<client.FieldErrorCode>().toEqualTypeOf<server.FieldErrorCode>()
    expectTypeOf<client.FieldError>().toEqualTypeOf<server.FieldError>()
    const listed = [...readFileSync(`${folder}error.ts`, 'utf8').matchAll(/^ {2}\| '(ACCOUNTS_\w+)'/gm)]
    expect(listed.map(([, code]) => code)).toEqual(Object.keys(errorTable))
  })

  it('have the same bodies and queries', () => {
    // A form says `on` where JSON says `true`.
    expectTypeOf<client.Credentials>().toExtend<LoginBody>()
    expectTypeOf<keyof client.Credentials>().toEqualTypeOf<keyof LoginBody>()
    expectTypeOf<{ password: string }>().toEqualTypeOf<ConfirmPasswordBody>()
    expectTypeOf<client.PasswordChange>().toEqualTypeOf<ChangePasswordBody>()
    expectTypeOf<client.NewPassword>().toEqualTypeOf<ResetBody>()
    expectTypeOf<{ email: string }>().toEqualTypeOf<EmailBody>()
    expectTypeOf<client.Link>().toEqualTypeOf<LinkParams>()
    expectTypeOf<Pick<client.ProfileChange, 'username'>>().toEqualTypeOf<ProfileBody>()
    expectTypeOf<keyof client.ProfileChange>().toEqualTypeOf<keyof ProfileBody>()
    expectTypeOf<client.UserFlags>().toEqualTypeOf<UserFlagsBody>()
    expectTypeOf<Required<client.UserQuery>>().toEqualTypeOf<Required<ListQuery>>()
    expectTypeOf<Pick<client.NewUser, keyof client.NewUser>>().toEqualTypeOf<CreateUserBody>()
  })

  type TypeOf<Schema> = Schema extends { static?: infer Type } ? NonNullable<Type> : never

  it('have the same answers', () => {
    expectTypeOf<client.Detail>().toEqualTypeOf<TypeOf<typeof detailReply>>()
    expectTypeOf<{ valid: boolean }>().toEqualTypeOf<TypeOf<typeof resetLinkReply>>()
    expectTypeOf<client.Verification>().toEqualTypeOf<TypeOf<typeof verifyReply>>()
    expectTypeOf<client.SessionList>().toEqualTypeOf<TypeOf<typeof sessionListReply>>()
    expectTypeOf<client.RouteIndex>().toEqualTypeOf<TypeOf<typeof apiRootReply>>()

    // The schemas of users grow with the fields of the integrator, so their types do not know the names.
    expectTypeOf<server.OwnUser>().toExtend<client.OwnUser>()
    const own: Record<keyof client.OwnUser, true> = {
      id: true,
      username: true,
      email: true,
      is_verified: true,
      is_staff: true,
      is_active: true,
      created_at: true,
      last_login_at: true,
    }
    const publicUser = publicUserReply(undefined, Object.keys(own))
    const page: Record<keyof client.UserPage, true> = { results: true, next: true }
    expect(Object.keys(ownUserReply(undefined).properties)).toEqual(Object.keys(own))
    expect(Object.keys(publicUser.properties)).toEqual(Object.keys(own))
    expect(publicUser.required).toEqual(['id', 'username'])
    expect(Object.keys(userListReply(publicUser).properties)).toEqual(Object.keys(page))
  })
})

describe('docs/client.md', () => {
  it('lists every method with its route, and no other', async () => {
    const page = readFileSync(new URL('../../../docs/client.md', import.meta.url), 'utf8')
    const rows = [...page.matchAll(/^\| `(\w+)\(.*\)` \| (\w+ \/[^ ,|]+)/gm)]
    const listed = rows.map(([, name, route]) => [name, route])
    const made: [string, string][] = []
    for (const [name, call] of Object.entries(calls)) {
      const recording = createAccountsClient({
        async fetch(input, init) {
          made.push([name, routeOf(input, init?.method)])
          return Response.json({ results: [], next: null })
        },
      })
      await call(recording)
    }
    expect(listed).toEqual(made)
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

  it('imports nothing, types included', () => {
    for (const file of readdirSync(folder)) {
      const imports = [...readFileSync(folder + file, 'utf8').matchAll(/(?:from|import) ?\(?'([^']+)'/g)]
      expect(imports.filter(([, from]) => !from?.startsWith('./'))).toEqual([])
    }
  })
})
