import type { StoredUser } from 'fastify-accounts'
import { addedAt, type Factor } from 'fastify-accounts/features'
import { browserOf } from './browser.js'
import { checkAssertion } from './ceremony.js'
import type { PasskeyDeps } from './deps.js'
import { type Passkey, passkeysOf } from './passkey.js'
import { noteRefusal, Refusal, usedChallenge } from './refusal.js'
import { assertionIn } from './response.js'
import { type AssertionBody, assertion } from './schemas.js'
import { changesOf } from './use.js'

/**
 * A passkey after another proof, or for a logged-in user. If passkeys are on as a factor, any of the account's passkeys
 * with user presence is enough; otherwise it must be one that logs in by itself, which verifies its owner.
 */
export function passkeyFactor(
  deps: Pick<PasskeyDeps, 'settings' | 'challenges' | 'browser' | 'spend'>,
): Factor {
  const { settings, challenges, spend } = deps
  return {
    field: 'response',
    schema: assertion,
    kind: 'passkey',
    reasonFor: () => 'wrong_passkey',
    wrongText: 'passkey_incorrect',
    aloneRoute: 'login-passkey-options',
    logsIn: (user) => passkeysOf(user).some(({ use }) => use === 'login'),
    refusal: 'ACCOUNTS_INVALID_CREDENTIALS',
    async verify(user, value, { step, occasion, client }) {
      const response = assertionIn(value as AssertionBody)
      // By itself it has to verify its owner.
      const isAlone = step === 'alone'
      const passkey = usablePasskeys(user).find(
        ({ id, use }) => id === response.id && !(isAlone && use === 'factor'),
      )
      const requirements = { isIdentified: !isAlone, isFactor: isOn(user) && !isAlone }
      const checked = await checkAssertion(settings, response, passkey ?? null, requirements, (challenge) =>
        challenges.open(challenge, [ceremonyOf[step]], occasion, browserOf(deps, client)),
      )
      const refuse = (refusal: Refusal) => {
        noteRefusal(client, refusal)
        return refusal.isSuspicious ? null : 'unfit'
      }
      if (checked instanceof Refusal) return refuse(checked)
      const { assertion, challenge } = checked
      // A request that would be rejected anyway leaves no row behind.
      const changes = changesOf(user, response.id, assertion)
      if (changes instanceof Refusal) return refuse(changes)
      return {
        since: addedAt(passkey),
        methods: assertion.isVerified ? ['pop', 'user'] : ['pop'],
        async claim() {
          const isFresh = await spend(`passkey:${challenge.id}`, challenge.expiresAt)
          if (!isFresh) noteRefusal(client, usedChallenge())
          return isFresh
        },
        spend(current) {
          const changes = changesOf(current, response.id, assertion)
          if (!(changes instanceof Refusal)) return changes
          noteRefusal(client, changes)
          return null
        },
      }
    },
  }
}

const ceremonyOf = { login: 'second-step', confirm: 'confirm', alone: 'login' } as const

/** Whether an account requires a passkey after the password. */
export function isOn({ factors }: Pick<StoredUser, 'factors'>): boolean {
  return factors.includes('passkey')
}

/** Passkeys that can confirm and complete a login. */
export function usablePasskeys(user: StoredUser): Passkey[] {
  return passkeysOf(user).filter(({ use }) => use === 'login' || isOn(user))
}
