import { timingSafeEqual } from 'node:crypto'

/**
 * Time-based codes (RFC 6238) that every authenticator app can make: SHA-1, 30 seconds, 6 digits. The
 * libraries are loaded on first use.
 */

/** Milliseconds that a code is shown for. */
const period = 30_000
const digits = 6

/** The setup data of an app: the secret in base32, the URI of the QR code, and the QR code as SVG. */
export async function newTotp(
  issuer: string,
  account: string,
): Promise<{ secret: string; uri: string; qrSvg: string }> {
  const { Secret, TOTP } = await import('otpauth')
  const { renderSVG } = await import('uqr')
  // 160 bits, as RFC 4226 section 4 recommends.
  const secret = new Secret({ size: 20 })
  const uri = new TOTP({ issuer, label: account, secret, digits, period: period / 1000 }).toString()
  return { secret: secret.base32, uri, qrSvg: renderSVG(uri, { ecc: 'M', border: 4 }) }
}

/**
 * The step of a code: the current one or the one before, so a code is valid for at most a minute (OWASP ASVS
 * 5.0, 6.5.5). `null` if it is neither's.
 */
export async function stepOf(secret: string, code: string): Promise<number | null> {
  const { HOTP, Secret } = await import('otpauth')
  const now = Math.floor(Date.now() / period)
  const key = Secret.fromBase32(secret)
  const codeBytes = Buffer.from(code)
  const steps = [now, now - 1].filter((counter) => {
    const right = Buffer.from(HOTP.generate({ secret: key, counter, digits }))
    return right.length === codeBytes.length && timingSafeEqual(right, codeBytes)
  })
  return steps[0] ?? null
}
