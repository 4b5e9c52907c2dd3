import { randomBytes } from 'node:crypto'
import { InvalidArgumentError } from '../../../seams/store-errors.js'
import type { Vault } from '../../../tokens/vault.js'
import type { ImportReader } from '../../feature.js'
import { mostApps, totpCredential } from '../factors/credentials.js'
import { recoveryCode } from '../factors/recovery-codes.js'
import { readApp } from './apps.js'
import { createBetterAuthOpener } from './better-auth.js'
import { readCodes } from './codes.js'

/** Authenticator apps and recovery codes of other systems, for `npx fastify-accounts import`. */
export function factorReaders(vault: Vault): Readonly<Record<'totp' | 'recoveryCodes', ImportReader>> {
  const openBetterAuth = createBetterAuthOpener(process.env)
  return {
    totp(values, since) {
      const apps = new Map(
        values
          .map((value) => readApp(value, openBetterAuth))
          .filter((app) => app !== null)
          .map((app) => [app.secret, app]),
      )
      if (apps.size === 0) return {}
      if (apps.size > mostApps)
        throw new InvalidArgumentError(`has ${apps.size} apps; at most ${mostApps} are allowed`)
      const credentials = [...apps.values()].map(({ createdAt, ...app }) => ({
        ...totpCredential(vault, app),
        createdAt: createdAt ?? since,
      }))
      return { credentials, factors: ['totp'] }
    },
    recoveryCodes(values, since) {
      const set = randomBytes(9).toString('base64url')
      const codes = readCodes(values, openBetterAuth)
      return { credentials: codes.map((code) => ({ ...recoveryCode(vault, code, set), createdAt: since })) }
    },
  }
}
