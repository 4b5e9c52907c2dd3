import type { LinkKind } from '../../emails/mail-links.js'
import { AccountsError } from '../../errors.js'
import type { MountCore } from '../../http/feature-core.js'
import { onUser } from '../../users/host-accounts.js'

/** A link to choose a password, as text. */
export interface PasswordLink {
  /** Works once. Whoever has it can set the password: show it to nobody but the user, and log it nowhere. */
  url: string
  expiresAt: Date
}

export async function createPasswordLink(
  deps: Pick<MountCore, 'users' | 'links'>,
  { url: urlOf, lifetime }: LinkKind,
  userId: string,
): Promise<PasswordLink | null> {
  return onUser(deps, userId, async (user) => {
    if (!user.isActive) throw new AccountsError('ACCOUNTS_DISABLED')
    // Tokens have whole seconds.
    const expiresAt = new Date(Math.floor((Date.now() + lifetime) / 1000) * 1000)
    const parts = await deps.links.issue('password-link', user, expiresAt, user.email ?? '')
    const url = urlOf(parts, { address: user.email ?? '', variant: null })
    if (url === undefined)
      throw new Error(
        'fastify-accounts: createPasswordLink leads to the route reset, which auth: false leaves out',
      )
    return { url, expiresAt }
  })
}
