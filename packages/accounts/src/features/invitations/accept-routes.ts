import { textsIn } from '../../http/input/texts-in.js'
import { linkRoutes } from '../../http/link-routes.js'
import { detailReply } from '../../http/output/schemas.js'
import type { Route } from '../../http/route.js'
import type { FeatureCore } from '../feature.js'
import { acceptInvitation } from './accept-invitation.js'
import { invitationOf } from './invited/invitee.js'
import { invitationBody, readInvitation, showInvitation } from './invited/show-invitation.js'
import { acceptedPage, addedPage } from './pages.js'
import { acceptBodies, invitationLinkReply } from './schemas.js'

/** The link of an invitation shows who invites to what, and how to accept. */
export function acceptRoutes({ options }: FeatureCore): Route[] {
  return linkRoutes({
    name: 'invitation',
    action: 'accept-invitation',
    path: '/invitation/',
    purpose: 'invitation',
    show: {
      operation: {
        id: 'checkInvitation',
        summary: 'Show the page that accepts an invitation, or tell what it gives',
      },
      access: 'anyone-known',
      reply: invitationLinkReply,
      async handle({ user, who }, deps) {
        const shown = await readInvitation(deps, invitationOf(user), who?.user ?? null)
        return { body: invitationBody(deps, shown), page: showInvitation(deps, shown) }
      },
    },
    use: {
      operation: {
        id: 'acceptInvitation',
        summary: 'Accept an invitation with a new password, or logged in to the account of its address',
        asks: ['signUp'],
        errors: ['ACCOUNTS_USERNAME_TAKEN', 'ACCOUNTS_LOGIN_REQUIRED', 'ACCOUNTS_FORBIDDEN'],
      },
      access: 'anyone-known',
      schema: {
        body: acceptBodies[options.names === 'none' ? 'unnamed' : 'named'] as typeof acceptBodies.named,
        response: { 200: detailReply },
      },
      async handle({ body, params, who, client }, deps) {
        const { new_password: password, confirm_password: confirmPassword, username, profile } = body
        const choice = { password, confirmPassword, username, profile }
        const user = await acceptInvitation(deps, client, who?.user ?? null, params, choice)
        client.note({ user })
        deps.signUp.clear(client)
        const isAdded = who?.user.id === user.id
        return isAdded
          ? { message: 'invitation_added', page: addedPage }
          : { message: 'invitation_accepted', page: acceptedPage }
      },
      async formAgain({ user, who, body }, faults, deps) {
        const shown = await readInvitation(deps, invitationOf(user), who?.user ?? null)
        return showInvitation(deps, shown, faults, textsIn(body))
      },
    },
  })
}
