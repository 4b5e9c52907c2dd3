import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type {
  HostOrganizations,
  MemberRole,
  OrganizationsOptions,
  PermissionInside,
} from '@fastify-accounts/organizations'
import { checkTypes } from '@fastify-accounts/test-support/check-types'
import type { Refusing } from '@fastify-accounts/test-support/option-types'
import { root } from '@fastify-accounts/test-support/source'
import type { Accounts } from 'fastify-accounts'
import { expect, expectTypeOf, onTestFinished, test } from 'vitest'

test('every optional option takes `undefined`', () => {
  expectTypeOf<Refusing<OrganizationsOptions>>().toBeNever()
})

test('without a declaration any role and permission compiles', () => {
  expectTypeOf<MemberRole>().toEqualTypeOf<string>()
  expectTypeOf<PermissionInside>().toEqualTypeOf<string>()
  expectTypeOf<Accounts['organizations']>().toEqualTypeOf<HostOrganizations>()
})

/** An app that declares its roles once. */
const app = `
import accounts, { type Accounts, invitations } from 'fastify-accounts'
import { organizations } from '@fastify-accounts/organizations'
import Fastify from 'fastify'

const roles = { owner: ['org:*'], editor: ['projects:read', 'projects:write'], reader: ['projects:read'] } as const

declare module '@fastify-accounts/organizations' {
  interface Register {
    roles: typeof roles
  }
}
declare module 'fastify' {
  interface FastifyInstance {
    accounts: Accounts
  }
}

const app = Fastify()
await app.register(accounts, { secret: '', baseUrl: '', features: [invitations(), organizations({ roles })] })
const { requireMember, membershipOf, addMember, listMembers } = app.accounts.organizations
const onRequest = [requireMember(), requireMember('projects:read'), requireMember('members:invite')]
app.get<{ Params: { organization: string } }>('/o/:organization', { onRequest }, (request) => {
  const { params } = request
  const { organization, can, roles } = membershipOf(request)
  const [role]: readonly ('owner' | 'editor' | 'reader')[] = roles
  return { name: params.organization, id: organization.id, role, writes: can('projects:write') }
})
await addMember('acme', 'ada', ['editor', 'owner'])
const listed = await listMembers('acme')
listed?.members.some(({ roles }) => roles.includes('reader'))
`

/** Each is refused in it. */
const mistakes = [
  "requireMember('projects:raed')",
  "requireMember('org:*')",
  "requireMember('users:read')",
  "app.get('/', (request) => membershipOf(request).can('project:read'))",
  "await addMember('acme', 'ada', ['admin'])",
  'await addMember({ id: 1 })',
  "organizations({ roles: { owner: [], reader: ['projects:read'] } })",
]

test('an app declares its roles once, and no hook or call takes another role or permission', () => {
  const folder = join(root, 'packages/organizations/dist/typed-app')
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(folder, { recursive: true })
  const refused = mistakes.map((each) => `// @ts-expect-error\n${each}\n`).join('')
  writeFileSync(join(folder, 'app.ts'), app + refused)
  expect(() => checkTypes(folder)).not.toThrow()
})
