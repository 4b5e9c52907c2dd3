import type { Problem } from 'fastify-accounts/features'
import type { link_pages } from '../texts/en/link-pages.js'
import type { NextStep } from './next-step.js'
import type { Renewable } from './renewal.js'

export type LinkFault = NonNullable<Problem['link']>

/** Texts of a page, and its next step. `renew` emails a new link of this kind to the address of the account. */
export interface LinkEnding {
  heading: keyof typeof link_pages
  body: keyof typeof link_pages
  next: NextStep | { renew: Renewable }
  otherwise?: NextStep
}

/** What the page of an invalid link says that is for some purpose. */
interface PurposeEndings {
  /** Somebody has done what it does, or something else has made it invalid. */
  used(fault: LinkFault, problem: Problem): LinkEnding
  expired(problem: Problem): LinkEnding
}

const done: LinkEnding = { heading: 'used', body: 'used_body', next: 'app' }
const outdated = (body: LinkEnding['body'], next: LinkEnding['next'], otherwise?: NextStep): LinkEnding => ({
  ...{ heading: 'outdated', body, next },
  ...(otherwise !== undefined && { otherwise }),
})
const expired = (body: LinkEnding['body'], next: LinkEnding['next']): LinkEnding => ({
  ...{ heading: 'expired', body, next },
})

const reset: PurposeEndings = {
  used: () => ({ ...done, body: 'used_or_changed', otherwise: 'reset' }),
  expired: () => expired('expired_body', { renew: 'reset' }),
}
const undo: PurposeEndings = {
  used: ({ user }) => (user?.emailChangedAt === null ? done : outdated('outdated_undo', 'reset')),
  expired: () => expired('expired_security', 'reset'),
}
const verificationOf = ({ route = '' }: Problem): LinkEnding['next'] => ({
  renew: route.startsWith('signup') ? 'signup' : 'user',
})

/** The purposes of the core and of the features beside it. */
type KnownPurpose = LinkFault['purpose'] | 'confirm-identity'

/** One text and one next step for each purpose and state; a purpose of the core without them doesn't compile. */
const linkEndings: Readonly<Record<KnownPurpose, PurposeEndings>> = {
  'reset-password': reset,
  'password-link': reset,
  'verify-email': {
    used: ({ user }, problem) =>
      user?.isVerified ? done : outdated('outdated_verification', verificationOf(problem)),
    expired: (problem) => expired('expired_body', verificationOf(problem)),
  },
  // The account's address would tell whether it was used, and a stranger who has the link could try guesses of it.
  'change-email': {
    used: () => outdated('used_or_changed', 'app', 'change-address'),
    expired: () => expired('expired_change', 'change-address'),
  },
  'undo-email': undo,
  'release-email': {
    used: () => outdated('outdated_release', 'app'),
    expired: () => expired('expired_release', 'app'),
  },
  // Who has changed the address since may not be the owner, so it never says that all is done.
  'not-me': {
    used: () => outdated('outdated_not_me', 'reset', 'app'),
    expired: () => expired('expired_security', 'reset'),
  },
  'login-code': {
    used: () => ({ ...done, body: 'used_code' }),
    expired: () => expired('expired_body', { renew: 'code' }),
  },
  invitation: {
    used: () => outdated('outdated_invitation', 'log-in'),
    expired: () => expired('expired_invitation', 'app'),
  },
  'confirm-identity': {
    used: ({ user }) => (user?.isVerified ? done : outdated('used_or_changed', 'start-again')),
    expired: () => expired('expired_identity', 'start-again'),
  },
}

/** Of a feature that these pages know nothing of. */
const unknown: PurposeEndings = {
  used: () => outdated('used_or_changed', 'app'),
  expired: () => expired('expired_identity', 'log-in'),
}

/** What the page of an invalid link says, and leads to. */
export function linkEndingOf(
  fault: LinkFault,
  problem: Problem,
): Omit<LinkEnding, 'next'> & { next: NextStep } {
  const { purpose, state, user } = fault
  // An invitation has no account yet.
  if (purpose !== 'invitation' && !user?.isActive)
    return { heading: 'outdated', body: 'outdated_release', next: 'app' }
  const { used, expired: ended } = (linkEndings as Partial<typeof linkEndings>)[purpose] ?? unknown
  const ending = state === 'used' ? used(fault, problem) : ended(problem)
  const { next } = ending
  if (typeof next !== 'object' || !('renew' in next)) return { ...ending, next }
  const email = user?.email ?? null
  if (email !== null) return { ...ending, next: { ...next, email } }
  // Nobody gets an email.
  return { ...ending, body: state === 'used' ? 'used_or_changed' : 'expired_no_address', next: 'log-in' }
}
