import { hash, randomInt, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { bearerPrefixes } from '../../../sessions/bearer.js'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const form = /^(fa_([0-9A-Za-z]{16})_([0-9A-Za-z]{32}))_([0-9A-Za-z]{6})$/

/** The two parts of a key: what finds it, and what proves it. */
export interface KeyParts {
  id: string
  /** 190 bits. */
  secret: string
}

export function newKeyParts(): KeyParts {
  return { id: randomText(16), secret: randomText(32) }
}

/** `fa_<id>_<secret>_<checksum>`: scanners for leaked secrets recognize it without asking anybody. */
export function keyText({ id, secret }: KeyParts): string {
  const text = `${bearerPrefixes.key}${id}_${secret}`
  return `${text}_${checksum(text)}`
}

/** `null` for what isn't a key, or has a wrong checksum: neither costs a look-up. */
export function readKey(text: string): KeyParts | null {
  const [, body = '', id = '', secret = '', claimedChecksum] = form.exec(text) ?? []
  return claimedChecksum !== undefined && checksum(body) === claimedChecksum ? { id, secret } : null
}

/** SHA-256 in base64url. A slow hash would add nothing: nobody guesses 190 bits. */
export function digest(text: string): string {
  return hash('sha256', text, 'base64url')
}

export function isSame(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
}

function randomText(length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
}

/** CRC-32 in base 62, as in GitHub's tokens: against typing errors and texts cut off, not against forgery. */
function checksum(text: string): string {
  let left = crc32(text)
  let digits = ''
  for (let at = 0; at < 6; at += 1) {
    digits = alphabet[left % alphabet.length] + digits
    left = Math.floor(left / alphabet.length)
  }
  return digits
}
