import { AccountsError } from '../../../errors.js'
import type { Factor } from '../../../logins/factor.js'
import type { Vault } from '../../../tokens/vault.js'
import type { StoredUser, UserChanges } from '../../../user.js'
import { changeUser } from '../../../users/change.js'
import { appsOf, missesOf, withApps } from './credentials.js'
import { findRecoveryCode } from './recovery-codes.js'
import { stepOf } from './totp.js'

/** Wrong codes in a row behind a right password, after which the owner is told: somebody may know the password. */
const missesToTell = 3

/** How many recovery codes are left when the owner is told. */
const codesToTell = 3

/** Codes of an authenticator app, and recovery codes: both in the field `code`. */
export function codeFactor(vault: Vault): Factor {
  return {
    field: 'code',
    schema: {
      type: 'string',
      minLength: 1,
      maxLength: 64,
      format: 'text',
      description: 'A code of the authenticator app, or a recovery code',
    },
    async verify(user, value) {
      const code = String(value).replace(/\s/g, '')
      return (await appCode(vault, user, code)) ?? recoveryCode(vault, user, code)
    },
    async missed(user, { users, postOffice }, at) {
      const tells = (misses: number): boolean => at === 'login' && misses === missesToTell
      const count = (current: StoredUser): UserChanges => ({
        credentials: withApps(current.credentials, ({ misses }) => ({ misses: misses + 1 })),
      })
      await changeUser(users, user, count, (changed) =>
        tells(missesOf(changed)) ? postOffice.about('factor-guessed', changed) : [],
      ).catch((error: unknown) => {
        // Many at once: each is refused all the same, and those that were faster are counted.
        if (!(error instanceof AccountsError && error.code === 'ACCOUNTS_CONFLICT')) throw error
      })
    },
  }
}

async function appCode(vault: Vault, user: StoredUser, code: string): ReturnType<Factor['verify']> {
  if (!/^\d{6}$/.test(code)) return null
  for (const { id, sealed, step: last } of appsOf(user)) {
    const step = await stepOf(vault.open(sealed), code)
    // One that was used is as wrong as any other: a right one forgets the tries before it.
    if (step === null || step <= last) continue
    return {
      methods: ['otp'],
      spend(current) {
        // A code works once, whoever sends it: the one of this step, and those of steps before.
        const app = appsOf(current).find((each) => each.id === id)
        if (app === undefined || app.step >= step) return null
        const credentials = withApps(current.credentials, (each) => ({
          misses: 0,
          ...(each.id === id && { step }),
        }))
        return { credentials }
      },
    }
  }
  return null
}

function recoveryCode(vault: Vault, user: StoredUser, code: string): Awaited<ReturnType<Factor['verify']>> {
  if (findRecoveryCode(vault, user.credentials, code) === null) return null
  return {
    methods: ['otp'],
    spend(current) {
      const spent = findRecoveryCode(vault, current.credentials, code)
      if (spent === null) return null
      const left = current.credentials.filter((each) => each !== spent)
      return { credentials: withApps(left, () => ({ misses: 0 })) }
    },
    mails(changed, postOffice) {
      const left = changed.credentials.filter(({ kind }) => kind === 'recovery-code').length
      return left <= codesToTell ? postOffice.about('recovery-codes-low', changed) : []
    },
  }
}
