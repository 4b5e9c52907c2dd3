import type { TObject } from '@sinclair/typebox'
import { forNames, withOptional } from '../../../http/input/field-schemas.js'
import { newOwnerChoice } from '../../../http/input/new-owner-choice.js'
import { newOwnerBody } from '../../../http/input/schemas.js'
import { textsIn } from '../../../http/input/texts-in.js'
import { linkRoutes, linkUse } from '../../../http/link-routes.js'
import type { MakePage, Result } from '../../../http/operation.js'
import { openedReplies, verifyReplies } from '../../../http/output/schemas.js'
import type { Route } from '../../../http/route.js'
import { ownersName } from '../../../identifiers/account-name.js'
import { enterOnProof } from '../../../logins/enter-on-proof.js'
import { isMakersBrowser, isOfAnotherSignUp } from '../../../logins/own-browser.js'
import { besideVisitor } from '../../../pages/theme.js'
import type { OpenedLink } from '../../../tokens/email-link.js'
import { LinkFault } from '../../../tokens/link-fault.js'
import type { StoredUser, User } from '../../../user.js'
import type { FeatureCore } from '../../feature.js'
import { verifiedPage } from '../pages.js'
import { factorBody, passwordBody } from '../schemas.js'
import { verifyAnew } from '../verify-anew.js'
import { verifyAsMaker } from '../verify-as-maker.js'
import { verifyUser } from '../verify-user.js'
import { showUnverified, wayOf } from './show-unverified.js'
import { type LinkUser, verifyPlainly } from './verify-plainly.js'

/**
 * The routes of a verification link: GET shows its page, and each way to use it has a POST.
 * @param id of the POST without a proof, with which the other ids begin
 */
export function verifyRoutes(
  core: FeatureCore,
  variant: 'user' | 'signup',
  id: string,
  verifyLinks: 'json' | 'open' | 'click',
): Route[] {
  const { names } = core.options
  const name = `${variant}-verify`
  const link = { name, action: 'verify', path: `/${variant}/v/`, purpose: 'verify-email' } as const
  const response = { 200: verifyReplies[names] }
  const shared = {
    access: 'anyone-known',
    formAgain: ({ body, ...used }: LinkUser & OpenedLink & { body: unknown }, faults, deps) =>
      showUnverified(deps, name, used, { faults, typed: textsIn(body) }),
  } as const satisfies Partial<Parameters<typeof linkUse>[1]>

  return [
    ...linkRoutes({
      ...link,
      show: {
        operation: {
          id: `${id}ByGet`,
          summary:
            'Show the page that verifies the address; a client that asks for application/json by name verifies by it',
          errors: ['ACCOUNTS_CONFLICT'],
        },
        access: 'anyone-known',
        reply: (verifyLinks === 'json' ? openedReplies : verifyReplies)[names],
        async handle(opened, deps) {
          const { who, client, user } = opened
          if (client.prefersPage) {
            if (!user.isVerified) return { page: await showUnverified(deps, name, opened) }
            return {
              page: who?.user.id === user.id ? verifiedBefore(core, name, user) : verified(core, who, user),
            }
          }
          // A mail scanner accepts any content type, as a browser or not: unless JSON is requested by name,
          // nothing changes, and nothing about the account is revealed.
          if (verifyLinks === 'json' && !client.asksForJson) return {}
          // Scanners send HEAD; the option may leave the change to a POST.
          if (client.isHead || verifyLinks === 'click') return { body: verification(user) }
          const isMaker = isMakersBrowser(deps, client, who)
          if (!isMaker(user) && isOfAnotherSignUp(deps, client)(user)) return { body: verification(user) }
          const changed = await verifyUser(deps, client, opened, isMaker)
          deps.signUp.clear(client)
          return { body: verification(changed) }
        },
      },
      use: {
        ...shared,
        operation: {
          id,
          summary: 'Verify the email address by a link',
          asks: ['signUp'],
          ...(core.logsInOnProof && { setsSession: true }),
        },
        schema: { response },
        async handle(input, deps) {
          const { user, isProof } = await verifyPlainly(input, deps)
          return done(deps, input, user, isProof && (await enterOnProof(deps, input, user)))
        },
      },
    }),
    linkUse(link, {
      ...shared,
      way: 'password',
      operation: {
        id: `${id}WithPassword`,
        summary: 'Verify the email address by a link and the password of the account',
        asks: ['signUp'],
      },
      schema: { body: passwordBody, response },
      handle: async ({ who, client, params, body }, deps) =>
        done(deps, { who, client }, await verifyAsMaker(deps, client, params, body)),
    }),
    ...core.factors
      .filter(({ aloneRoute }) => aloneRoute !== undefined)
      .map((factor) =>
        linkUse(link, {
          ...shared,
          way: wayOf(factor),
          operation: {
            id: `${id}With${wayOf(factor).replace(/^./, (letter) => letter.toUpperCase())}`,
            summary: `Verify the email address by a link and a ${wayOf(factor)} of the account`,
            asks: ['signUp'],
          },
          schema: {
            body: {
              ...withOptional(factorBody, { [factor.field]: factor.schema }),
              required: [factor.field],
            } as TObject & { static: Record<string, unknown> },
            response,
          },
          async handle({ who, client, params, body }, deps) {
            const proof = { factor, value: body[factor.field] }
            return done(deps, { who, client }, await verifyAsMaker(deps, client, params, proof))
          },
        }),
      ),
    linkUse(link, {
      ...shared,
      way: 'new-password',
      operation: {
        id: `${id}WithNewPassword`,
        summary: 'Verify the email address by a link, and make the account your own with a new password',
        asks: ['signUp'],
        errors: ['ACCOUNTS_USERNAME_TAKEN'],
      },
      schema: { body: forNames(newOwnerBody, names), response },
      async handle({ params, who, client, body }, deps) {
        const isMaker = isMakersBrowser(deps, client, who)
        const user = await verifyAnew(deps, client, isMaker, params, newOwnerChoice(body))
        return done(deps, { who, client }, user)
      },
    }),
  ]
}

/** What follows a verification, whichever way it was. */
function done(
  core: FeatureCore,
  { client, who }: Pick<LinkUser, 'client' | 'who'>,
  user: StoredUser,
  isIn = false,
): Result {
  client.note({ user })
  core.signUp.clear(client)
  return { body: verification(user), page: verified(core, who, user, isIn) }
}

function verified(core: FeatureCore, who: LinkUser['who'], user: StoredUser, hasEntered = false): MakePage {
  const isOwner = hasEntered || who?.user.id === user.id
  const facts = { username: ownersName(core.options, user), byEmail: opensByAddress(core, user) }
  return (theme) => {
    const isIn = isOwner && theme.frame.logInPath !== null
    return verifiedPage(besideVisitor(theme, core.options, who?.user ?? null, user), { ...facts, isIn })
  }
}

/** For its owner, who is logged in: a frame has a page for links that have been used. */
function verifiedBefore(core: FeatureCore, route: string, user: StoredUser): MakePage {
  const link = new LinkFault('used', 'verify-email', user)
  const gone = { status: 200, code: '', reason: undefined, retryAfter: undefined, url: '' }
  const texts = { title: '', message: '' }
  return (theme) =>
    theme.frame.logInPath === null
      ? verified(core, null, user)(theme)
      : theme.frame.page(theme, theme.frame.problem(theme, { ...gone, link, route }, texts))
}

/** Whether the proven address alone lets the user in, such as with an emailed code. */
function opensByAddress({ hasWayIn }: FeatureCore, user: StoredUser): boolean {
  return hasWayIn(user) && !hasWayIn({ ...user, isVerified: false })
}

function verification({ isVerified, username }: User): object {
  return { valid: true, verified: isVerified, username }
}
