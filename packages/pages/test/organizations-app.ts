import { type OrganizationsOptions, organizations } from '@fastify-accounts/organizations'
import { goodPassword, signUp, type TestApp } from '@fastify-accounts/test-support/app'
import { type AccountsOptions, invitations } from 'fastify-accounts'
import { type Browser, browser, pagesApp } from './pages-app.js'

export interface OrganizationsWorld extends TestApp {
  /** Signs somebody up, with a confirmed address unless `isProven` is `false`, and opens a browser where they're logged in. */
  visitor(name: string, isProven?: boolean): Promise<Browser>
}

/** An app with pages and organizations. */
export async function organizationsWorld(
  own: OrganizationsOptions = {},
  options: Partial<AccountsOptions> = {},
): Promise<OrganizationsWorld> {
  const world = await pagesApp(
    {},
    { ...options, features: [...(options.features ?? []), invitations(), organizations(own)] },
  )
  return {
    ...world,
    async visitor(name, isProven = true) {
      const user = await signUp(world, name, { email: `${name}@example.org` })
      await world.users.update(user.id, { isVerified: isProven }, user.version)
      const visitor = browser(world.app)
      await visitor.open('/login/?next=/account/organizations/')
      await visitor.submit('Log in', { username: name, password: goodPassword })
      return visitor
    },
  }
}

/** Creates an organization, and stays on its page. */
export async function found(owner: Browser, name: string, slug: string): Promise<string> {
  await owner.open('/account/organizations/new/')
  return (await owner.submit('Create organization', { name, slug })).url
}

/** Invites an address to an organization, as a member unless `roles` says otherwise. */
export async function invite(
  owner: Browser,
  organization: string,
  email: string,
  roles: Record<string, string> = {},
): Promise<void> {
  await owner.open(`${organization}invitations/new/`)
  await owner.submit('Send invitation', { email, ...roles })
}
