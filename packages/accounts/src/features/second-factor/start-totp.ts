import type { Deps } from '../../deps.js'
import type { Factor } from '../../logins/factor.js'
import { factorState } from '../../logins/pending-login.js'
import { seal } from '../../tokens/seal.js'
import { type Enroller, findEnroller, type Setup } from './factors/setup.js'
import { newTotp } from './factors/totp.js'

/** How long an app that is being set up may take to show its first code, in milliseconds. */
const enrollmentLifetime = 600_000

/**
 * Begins to set an authenticator app up. Until its first code is here, nothing is kept: the client carries it, sealed.
 * @param session what names the session that begins it
 * @throws AccountsError ACCOUNTS_NOT_VERIFIED, ACCOUNTS_CONFIRMATION_REQUIRED
 */
export async function startTotp(
  deps: Pick<Deps, 'users'> & { factors: readonly Factor[] },
  { keys, issuer }: Setup,
  enroller: Enroller,
  session: string,
): Promise<{ secret: string; uri: string; qr_svg: string; token: string }> {
  const { user } = enroller
  const found = await findEnroller(deps, enroller)
  const { secret, uri, qrSvg } = await newTotp(issuer, user.username ?? user.email ?? issuer)
  const facts = [user.id, session, factorState(found), secret, Date.now() + enrollmentLifetime]
  return { secret, uri, qr_svg: qrSvg, token: seal(keys[0], JSON.stringify(facts)) }
}
