import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { SettingError } from './config.js'

/**
 * The secret of a server without SECRET: generated once, then read, so links and logins survive a restart.
 * Only the owner of the process can read the file.
 * @throws SettingError
 */
export function keptSecret(file: string): string {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    // `wx`: if two processes start at the same time, one writes and both read the same secret.
    writeFileSync(file, randomBytes(32).toString('base64url'), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw unusable(file, error)
  }
  try {
    const secret = readFileSync(file, 'utf8').trim()
    if (secret.length >= 32) return secret
  } catch (error) {
    throw unusable(file, error)
  }
  throw new SettingError(
    'SECRET',
    `is not set, and ${file} contains none: delete that file to create a new one`,
  )
}

function unusable(file: string, error: unknown): SettingError {
  return new SettingError(
    'SECRET',
    `is not set, and cannot be stored in ${file}: ${codeOf(error) ?? String(error)}`,
  )
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
