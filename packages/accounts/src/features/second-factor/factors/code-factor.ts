import { maxTypedCode, readCode } from '../../../identifiers/typed-code.js'
import type { Factor } from '../../../logins/factor.js'
import type { Vault } from '../../../tokens/vault.js'
import { addedAt, type StoredUser } from '../../../user.js'
import { appsOf, withApp } from './credentials.js'
import { findRecoveryCode } from './recovery-codes.js'
import { stepOf } from './totp.js'

/** How many recovery codes are left when the owner is notified. */
const codesToTell = 3

/** Codes of an authenticator app, and recovery codes: both in the field `code`. */
export function codeFactor(vault: Vault): Factor {
  return {
    field: 'code',
    schema: {
      type: 'string',
      minLength: 1,
      maxLength: maxTypedCode,
      format: 'text',
      description: 'A code of the authenticator app, or a recovery code',
    },
    refusal: 'ACCOUNTS_INVALID_CODE',
    // Whether or not the code is right, or guessing could go on.
    reasonFor: (user, value) =>
      isAppCode(readCode(String(value))) && user.factors.includes('totp') && appsOf(user).length === 0
        ? 'app_turned_off'
        : undefined,
    async verify(user, value) {
      const code = readCode(String(value))
      return (await appCode(vault, user, code)) ?? recoveryCode(vault, user, code)
    },
  }
}

const isAppCode = (code: string): boolean => /^\d{6}$/.test(code)

async function appCode(vault: Vault, user: StoredUser, code: string): ReturnType<Factor['verify']> {
  if (!isAppCode(code)) return null
  for (const app of appsOf(user)) {
    const { id, sealed, step: last } = app
    const step = await stepOf(vault.open(sealed), code)
    // A used code counts as wrong: accepting it would clear the failed attempts before it.
    if (step === null || step <= last) continue
    return {
      methods: ['otp'],
      since: addedAt(app),
      spend(current) {
        // A code works once for all callers: that of this step, and of earlier steps.
        const app = appsOf(current).find((each) => each.id === id)
        if (app === undefined || app.step >= step) return null
        const used = { step, lastUsedAt: new Date().toISOString() }
        return { credentials: withApp(current.credentials, id, used) }
      },
    }
  }
  return null
}

function recoveryCode(vault: Vault, user: StoredUser, code: string): Awaited<ReturnType<Factor['verify']>> {
  const found = findRecoveryCode(vault, user.credentials, code)
  if (found === null) return null
  return {
    methods: ['otp'],
    since: addedAt(found),
    spend(current) {
      const spent = findRecoveryCode(vault, current.credentials, code)
      if (spent === null) return null
      return { credentials: current.credentials.filter((each) => each !== spent) }
    },
    mails(changed, postOffice) {
      const left = changed.credentials.filter(({ kind }) => kind === 'recovery-code').length
      return left <= codesToTell ? postOffice.about('recovery-codes-low', changed) : []
    },
  }
}
