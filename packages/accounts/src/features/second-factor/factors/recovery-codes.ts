import { hash, randomBytes } from 'node:crypto'
import { readCode } from '../../../identifiers/typed-code.js'
import type { Vault } from '../../../tokens/vault.js'
import type { Credential } from '../../../user.js'

const count = 10
/** Base32 (RFC 4648): 16 letters are 80 bits. */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const length = 16

/** New codes, as users see them once, and as stored: hashed and sealed. */
export function newRecoveryCodes(vault: Vault): { codes: string[]; credentials: Credential[] } {
  const set = randomBytes(9).toString('base64url')
  const codes = Array.from({ length: count }, () => {
    const letters = [...randomBytes(length)].map((byte) => alphabet[byte % alphabet.length]).join('')
    return letters.replace(/.{4}(?!$)/g, '$&-')
  })
  return { codes, credentials: codes.map((code) => recoveryCode(vault, code, set)) }
}

/** A code from here or elsewhere as stored; `set` names those that were made together. */
export function recoveryCode(vault: Vault, code: string, set: string): Credential {
  const createdAt = new Date().toISOString()
  return { kind: 'recovery-code', id: set, sealed: vault.seal(digest(code)), createdAt }
}

/**
 * The credential of this code; `null` if there is none. Digits that our alphabet lacks may be letters that look like them;
 * codes from elsewhere may have both.
 */
export function findRecoveryCode(
  vault: Vault,
  credentials: readonly Credential[],
  code: string,
): Credential | null {
  const wanted = [code, withLetters(code)].map(digest)
  const codes = credentials.filter(({ kind }) => kind === 'recovery-code')
  return codes.find(({ sealed }) => wanted.includes(vault.open(String(sealed)) ?? '')) ?? null
}

/** A code in which 0, 1 and 8 are read as letters. */
function withLetters(code: string): string {
  return readCode(code).replaceAll('0', 'O').replaceAll('1', 'I').replaceAll('8', 'B')
}

/** For 80 random bits, a fast hash is enough. */
function digest(code: string): string {
  return hash('sha256', `recovery-code:${readCode(code)}`, 'base64url')
}
