import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { buildSync } from 'esbuild'
import type * as server from 'fastify-accounts'
import { errorTable } from 'fastify-accounts'
import { describe, expect, expectTypeOf, it } from 'vitest'
import type {
  invitationLinkReply,
  invitationListReply,
  inviteBody,
} from '../../accounts/src/features/invitations/schemas.js'
import type { byEither } from '../../accounts/src/features/login/schemas.js'
import type { changePasswordBody } from '../../accounts/src/features/password/schemas.js'
import type { optionalPair } from '../../accounts/src/features/sign-up/schemas.js'
import type { ListQuery, userChanges } from '../../accounts/src/features/staff/schemas.js'
import type { RolesBody } from '../../accounts/src/http/input/roles-body.js'
import type {
  account,
  emailBody,
  linkParams,
  nameChanges,
  newOwnerBody,
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
import type * as client from '../src/index.js'
import type { Invitation, InvitationRequest, ValidInvitation } from '../src/invitations.js'

const folder = fileURLToPath(new URL('../src/', import.meta.url))
/** The limit for the bundled client, in bytes after gzip. */
const mostBytes = 3500
const rule =
  'only what most apps call is in the main entry: see "A route" in CONTRIBUTING.md for where a call goes'

type TypeOf<Schema> = Schema extends { static?: infer Type } ? NonNullable<Type> : never

describe('the client and the server', () => {
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
    expectTypeOf<client.NewOwner>().branded.toEqualTypeOf<TypeOf<typeof newOwnerBody>>()
    type InviteBody = TypeOf<typeof inviteBody> & { fields?: object } & RolesBody
    expectTypeOf<InvitationRequest>().branded.toEqualTypeOf<InviteBody>()
  })

  it('have the same response bodies', () => {
    expectTypeOf<client.Detail>().toEqualTypeOf<TypeOf<typeof detailReply>>()
    expectTypeOf<{ valid: boolean }>().toEqualTypeOf<TypeOf<typeof linkReply>>()
    expectTypeOf<Required<client.Verification>>().toEqualTypeOf<TypeOf<typeof verifyReplies.optional>>()
    expectTypeOf<TypeOf<typeof verifyReplies.none>>().toExtend<client.Verification>()
    expectTypeOf<client.SessionList>().toEqualTypeOf<TypeOf<typeof sessionListReply>>()
    expectTypeOf<ValidInvitation>().branded.toEqualTypeOf<TypeOf<typeof invitationLinkReply>>()
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
    expect(bytes, rule).toBeLessThan(mostBytes)
  })

  it('imports nothing, types included, except in the passkeys entry', () => {
    for (const file of readdirSync(folder)) {
      const imports = [...readFileSync(folder + file, 'utf8').matchAll(/(?:from|import) ?\(?'([^']+)'/g)]
      const foreign = imports.map(([, from]) => from).filter((from) => !from?.startsWith('./'))
      expect(foreign).toEqual(file === 'passkeys.ts' ? ['@simplewebauthn/browser'] : [])
    }
  })
})
