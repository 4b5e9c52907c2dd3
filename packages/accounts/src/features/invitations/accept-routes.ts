import type { FieldError } from '../../errors.js'
import { newOwnerChoice } from '../../http/input/new-owner-choice.js'
import { newOwnerBodies } from '../../http/input/schemas.js'
import { textsIn } from '../../http/input/texts-in.js'
import { linkRoutes } from '../../http/link-routes.js'
import type { MakePage } from '../../http/operation.js'
import { detailReply } from '../../http/output/schemas.js'
import type { Route } from '../../http/route.js'
import type { StoredUser } from '../../user.js'
import { newOwnersChoice } from '../../users/ownership/new-owners-choice.js'
import type { FeatureCore } from '../feature.js'
import { acceptInvitation } from './accept-invitation.js'
import { needsUsername } from './invited/needs-username.js'
import { acceptedPage, invitationPage } from './pages.js'
import { invitationLinkReply } from './schemas.js'

/** The link of an invitation shows a form, which makes the account theirs. */
export function acceptRoutes({ options }: FeatureCore): Route[] {
  const form = (user: StoredUser, faults: readonly FieldError[] = [], typed = textsIn({})): MakePage => {
    const facts = {
      email: user.email ?? '',
      profile: newOwnersChoice(options, 'proved-elsewhere', user).profile,
      asksUsername: needsUsername(options, user),
      lengths: options.password,
      faults,
      typed,
    }
    return (theme) => invitationPage(theme, facts)
  }
  return linkRoutes({
    name: 'invitation',
    action: 'accept-invitation',
    path: '/invitation/',
    purpose: 'invitation',
    show: {
      operation: {
        id: 'checkInvitation',
        summary: 'Show the form that accepts an invitation, or tell whether the link is valid',
      },
      reply: invitationLinkReply,
      handle: ({ user }) => ({
        body: { valid: true, email: user.email, username_required: needsUsername(options, user) },
        page: form(user),
      }),
    },
    use: {
      operation: {
        id: 'acceptInvitation',
        summary: 'Accept an invitation with a new password',
        asks: ['signUp'],
        errors: ['ACCOUNTS_USERNAME_TAKEN'],
      },
      schema: {
        body: newOwnerBodies[options.names === 'none' ? 'unnamed' : 'named'] as typeof newOwnerBodies.named,
        response: { 200: detailReply },
      },
      async handle({ body, params, client }, deps) {
        await acceptInvitation(deps, client, params, newOwnerChoice(body))
        deps.signUp.clear(client)
        return { message: 'invitation_accepted', page: acceptedPage }
      },
      formAgain: ({ user, body }, faults) => form(user, faults, textsIn(body)),
    },
  })
}
