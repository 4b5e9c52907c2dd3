import { emailBody } from '../../http/input/schemas.js'
import { linkRoutes } from '../../http/link-routes.js'
import type { MakePage } from '../../http/operation.js'
import { detailReply, openedReplies, verifyReplies } from '../../http/output/schemas.js'
import { type Route, route } from '../../http/route.js'
import { ownersName } from '../../identifiers/account-name.js'
import { isMakersBrowser, isOfAnotherSignUp, isOwnBrowser } from '../../logins/own-browser.js'
import type { StoredUser, User } from '../../user.js'
import { isInvited } from '../../users/invitation.js'
import type { FeatureCore } from '../feature.js'
import { verifiedPage } from './pages.js'
import { resendVerification } from './resend-verification.js'
import { showUnverified } from './routes/show-unverified.js'
import { verifyBody, verifyByBody } from './routes/verify.js'
import { verifyUser } from './verify-user.js'

/** Each variant of creation has its own routes, with their own names. */
const operationIds = {
  user: { get: 'verifyUserByGet', verify: 'verifyUser', resend: 'resendUserVerification' },
  signup: { get: 'verifySignupByGet', verify: 'verifySignup', resend: 'resendSignupVerification' },
}

/** The link in the email to a new account, and the request for another one. */
export function verificationRoutes(core: FeatureCore): Route[] {
  const { users } = core.options
  if (users === false) return []
  const { variant, verifyLinks } = users
  return [
    ...(variant === 'signup' ? [] : variantRoutes(core, 'user', verifyLinks)),
    ...(variant === 'user' ? [] : variantRoutes(core, 'signup', verifyLinks)),
  ]
}

function variantRoutes(core: FeatureCore, variant: Variant, verifyLinks: VerifyLinks): Route[] {
  return [...verifyRoutes(core, variant, verifyLinks), resendRoute(variant)]
}

type Variant = 'user' | 'signup'
type VerifyLinks = 'json' | 'open' | 'click'

function verifyRoutes(core: FeatureCore, variant: Variant, verifyLinks: VerifyLinks): Route[] {
  const { names } = core.options
  const verified = (user: StoredUser): MakePage => {
    const facts = { username: ownersName(core.options, user), byEmail: opensByAddress(core, user) }
    return (theme) => verifiedPage(theme, facts)
  }
  return linkRoutes({
    name: `${variant}-verify`,
    action: 'verify',
    path: `/${variant}/v/`,
    purpose: 'verify-email',
    show: {
      operation: {
        id: operationIds[variant].get,
        summary:
          'Show the page that verifies the address; a client that asks for application/json by name verifies by it',
        errors: ['ACCOUNTS_CONFLICT'],
      },
      access: 'anyone-known',
      reply: (verifyLinks === 'json' ? openedReplies : verifyReplies)[names],
      async handle({ who, client, ...link }, deps) {
        const { user } = link
        const isMaker = isMakersBrowser(deps, client, who)
        if (client.prefersPage) {
          if (user.isVerified) return { page: verified(user) }
          return { page: showUnverified(deps, user, isMaker(user)) }
        }
        // A mail scanner accepts any content type, as a browser or not: unless JSON is requested by name,
        // nothing changes, and nothing about the account is revealed.
        if (verifyLinks === 'json' && !client.asksForJson) return {}
        // Scanners send HEAD; the option may leave the change to a POST.
        if (client.isHead || verifyLinks === 'click') return { body: verification(user) }
        const takesMore = isOfAnotherSignUp(deps, client)(user) || isInvited(user)
        if (!isMaker(user) && takesMore) return { body: verification(user) }
        const changed = await verifyUser(deps, client, link, isMaker)
        deps.signUp.clear(client)
        return { body: verification(changed) }
      },
    },
    use: {
      operation: {
        id: operationIds[variant].verify,
        summary: 'Verify the email address by a link',
        asks: ['signUp'],
      },
      access: 'anyone-known',
      schema: { body: verifyBody(core), response: { 200: verifyReplies[names] } },
      async handle(input, deps) {
        const user = await verifyByBody(input, deps)
        input.client.note({ user })
        deps.signUp.clear(input.client)
        return { body: verification(user), page: verified(user) }
      },
      formAgain: ({ user, who, client }, faults, deps) =>
        showUnverified(deps, user, isMakersBrowser(deps, client, who)(user), faults),
    },
  })
}

/** Whether the proven address alone lets the user in, such as with an emailed code. */
function opensByAddress({ hasWayIn }: FeatureCore, user: StoredUser): boolean {
  return hasWayIn(user) && !hasWayIn({ ...user, isVerified: false })
}

function verification({ isVerified, username }: User): object {
  return { valid: true, verified: isVerified, username }
}

function resendRoute(variant: Variant): Route {
  return route({
    name: `${variant}-verify-resend`,
    action: 'verify-resend',
    method: 'POST',
    path: `/${variant}/v/`,
    operation: {
      id: operationIds[variant].resend,
      host: 'request',
      summary: 'Send the verification link again',
    },
    access: 'anyone',
    budget: 'resend',
    schema: { body: emailBody, response: { 202: detailReply } },
    async handle({ body, client }, deps) {
      const user = await resendVerification(deps, body, variant, isOwnBrowser(deps, client), (emailKey) =>
        deps.signUp.isForAddress(client, emailKey),
      )
      client.note(user === null ? { user, reason: 'ACCOUNTS_NOT_FOUND' } : { user })
      return { status: 202, message: 'resend' }
    },
  })
}
