import { forNames, withOptional } from '../../http/input/field-schemas.js'
import type { LinkParams } from '../../http/input/schemas.js'
import { textsIn } from '../../http/input/texts-in.js'
import { linkRoutes, linkUse } from '../../http/link-routes.js'
import { detailReply } from '../../http/output/schemas.js'
import type { Route } from '../../http/route.js'
import { enterOnProof } from '../../logins/enter-on-proof.js'
import type { BeginningProof } from '../../logins/other-beginning.js'
import { besideVisitor } from '../../pages/theme.js'
import type { FeatureCore } from '../feature.js'
import { acceptInvitation } from './accept-invitation.js'
import { checkAcceptance } from './invited/check-acceptance.js'
import { invitationOf } from './invited/invitee.js'
import { invitationBody, readInvitation, showInvitation } from './invited/show-invitation.js'
import { acceptedPage, addedPage } from './pages.js'
import { acceptBody, choiceBody, invitationLinkReply } from './schemas.js'

const invitationLink = {
  name: 'invitation',
  action: 'accept-invitation',
  path: '/invitation/',
  purpose: 'invitation',
} as const

/** The link of an invitation shows who invites to what, and how to accept. */
export function acceptRoutes({ options, beginnings, logsInOnProof }: FeatureCore): Route[] {
  const routes = linkRoutes({
    ...invitationLink,
    show: {
      operation: {
        id: 'checkInvitation',
        summary: 'Show the page that accepts an invitation, or tell what it gives',
      },
      access: 'anyone-known',
      reply: invitationLinkReply,
      async handle({ user, who, params }, deps) {
        const shown = await readInvitation(deps, invitationOf(user), who?.user ?? null)
        return { body: invitationBody(deps, shown), page: showInvitation(deps, shown, params) }
      },
    },
    use: {
      operation: {
        id: 'acceptInvitation',
        summary: 'Accept an invitation with a new password, or logged in to the account of its address',
        asks: ['signUp'],
        ...(logsInOnProof && { setsSession: true }),
        errors: [
          ...(['ACCOUNTS_USERNAME_TAKEN', 'ACCOUNTS_LOGIN_REQUIRED'] as const),
          ...(['ACCOUNTS_FORBIDDEN', 'ACCOUNTS_NOT_VERIFIED'] as const),
        ],
      },
      access: 'anyone-known',
      schema: { body: forNames(acceptBody, options.names), response: { 200: detailReply } },
      async handle({ body, params, who, client }, deps) {
        const { new_password: password, confirm_password: confirmPassword, username, profile } = body
        const choice = { password, confirmPassword, username, profile }
        const user = await acceptInvitation(deps, client, who?.user ?? null, params, choice)
        client.note({ user })
        deps.signUp.clear(client)
        const isAdded = who?.user.id === user.id
        if (isAdded) return { message: 'invitation_added', page: addedPage }
        const isIn = await enterOnProof(deps, { who, client }, user)
        return {
          message: 'invitation_accepted',
          page: (theme) => acceptedPage(besideVisitor(theme, options, who?.user ?? null, user), isIn),
        }
      },
      async formAgain({ user, who, body, params }, faults, deps) {
        const shown = await readInvitation(deps, invitationOf(user), who?.user ?? null)
        return showInvitation(deps, shown, params, faults, textsIn(body))
      },
    },
  })
  return [
    ...routes,
    ...beginnings.flatMap(({ proof }) => (proof === undefined ? [] : proofRoutes(options, proof))),
  ]
}

/** The same with what somebody logs in with instead of a password: what the browser needs for it, and its use. */
function proofRoutes({ names }: FeatureCore['options'], proof: BeginningProof): Route[] {
  const { kind, field, schema, reply, refusal } = proof
  const id = `acceptInvitationWith${kind.replace(/^./, (letter) => letter.toUpperCase())}`
  const choice = forNames(choiceBody, names)
  const errors = ['ACCOUNTS_USERNAME_TAKEN', 'ACCOUNTS_LOGIN_REQUIRED', 'ACCOUNTS_FORBIDDEN'] as const
  return [
    linkUse(invitationLink, {
      way: `${kind}/options`,
      operation: {
        id: `${id}Options`,
        summary: `Get the options for accepting with a ${kind}`,
        asks: [],
        errors,
      },
      schema: { body: choice, response: { 200: reply } },
      async handle({ body: { username }, params, client }, deps) {
        const name = await checkAcceptance(deps, params, username)
        return { body: await proof.options(client, occasionOf(params), name) }
      },
    }),
    linkUse(invitationLink, {
      way: kind,
      operation: {
        id,
        summary: `Accept an invitation with a ${kind} instead of a password`,
        asks: ['signUp'],
        errors: [...errors, refusal],
      },
      schema: {
        body: { ...withOptional(choice, { [field]: schema }), required: [field] } as typeof choice,
        response: { 200: detailReply },
      },
      async handle({ body: { username, profile, ...made }, params, client }, deps) {
        const value = (made as Record<string, unknown>)[field]
        const takeProof = () => proof.take(client, occasionOf(params), value)
        const user = await acceptInvitation(deps, client, null, params, { username, profile, takeProof })
        client.note({ user })
        deps.signUp.clear(client)
        return { message: 'invitation_accepted' }
      },
    }),
  ]
}

/** What is made for one invitation is invalid for another. */
const occasionOf = ({ uid64 }: LinkParams): string => `invitation ${uid64}`
