import type { FastifyRequest } from 'fastify'
import { fieldError, invalidInput } from '../../errors.js'

/** What a client asks for with the header Accounts-Delivery. */
export interface DeliveryRequest {
  /** What its user calls the device; `null` without a name. */
  name: string | null
}

const deliveryHeader = 'accounts-delivery'

/** What a client sends beside its access token to go on with a refresh token where it proves nothing else. */
export const refreshHeader = 'accounts-refresh'

/** Characters. */
const maxName = 64

/**
 * `Accounts-Delivery: tokens; name="Ada's phone"`, a structured field (RFC 9651): a name beyond ASCII is a Display String,
 * `name=%"Ada%e2%80%99s phone"`.
 * @returns `null` without the header, or if it asks for anything else; see `checkDelivery`
 */
export function readDelivery({ headers }: Pick<FastifyRequest, 'headers'>): DeliveryRequest | null {
  const header = headers[deliveryHeader]
  if (header === undefined) return null
  // Anybody may send as many spaces as a header takes: two patterns for them in a row would try each way to share them.
  const found = /^tokens\s*(?:;\s*name=(?:"((?:[ !#-[\]-~]|\\["\\])*)"|%"([ !#-~]*)"))?$/.exec(
    String(header).trim(),
  )
  if (found === null) return null
  const [, plain = '', shown] = found
  const name = shown === undefined ? plain.replaceAll(/\\(.)/g, '$1') : decoded(shown)
  return name === null || [...name].length > maxName ? null : { name: name === '' ? null : name }
}

/**
 * @throws AccountsError ACCOUNTS_INVALID_INPUT if the header isn't as above: a client that would get a cookie instead of
 * tokens couldn't use it
 */
export function checkDelivery(request: Pick<FastifyRequest, 'headers'>): void {
  if (request.headers[deliveryHeader] !== undefined && readDelivery(request) === null)
    throw invalidInput(fieldError(deliveryHeader, 'invalid'))
}

/** `null` if it isn't UTF-8, or has control characters or those that change the direction of what follows. */
function decoded(shown: string): string | null {
  try {
    const text = decodeURIComponent(shown)
    return /[\p{Cc}\p{Bidi_Control}\p{Cs}]/u.test(text) ? null : text
  } catch {
    return null
  }
}
