import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { InvalidArgumentError } from 'fastify-accounts'

/** A name to show and an address to deliver to. */
export interface Mailbox {
  name: string
  address: string
}

/** Whitespace, control characters, and the syntax of quotes, comments, lists, groups, routes and literals. */
const notPlain = /[\s\p{Cc}"(),:;<>@[\]\\]/u

/** Letters, digits and hyphens, in labels between single dots. */
const hostName = /^[a-z0-9-]+(\.[a-z0-9-]+)*$/i

/**
 * The address in the form in which it is sent: an internationalized domain under its ASCII name.
 * @param what named in the error
 * @throws InvalidArgumentError unless it is one plain address, also to libraries that fold characters (U+FF20 to @)
 */
export function plainAddress(what: string, address: unknown): string {
  const refusal = `${what} must be one plain email address`
  if (typeof address !== 'string' || !address.isWellFormed()) throw new InvalidArgumentError(refusal)
  const at = address.indexOf('@')
  const local = address.slice(0, at)
  const domain = address.slice(at + 1)
  for (const part of [local, domain]) {
    if (at === -1 || part === '' || notPlain.test(part.normalize('NFKC')))
      throw new InvalidArgumentError(refusal)
  }
  const ascii = /^[\p{L}\p{M}\p{N}.-]+$/u.test(domain) ? domainToASCII(domain) : ''
  // `0x7f.1` becomes 127.0.0.1, which is not a name.
  if (!hostName.test(ascii) || isIP(ascii) !== 0) throw new InvalidArgumentError(refusal)
  return `${local}@${ascii}`
}

/** @throws InvalidArgumentError if the text would start another header */
export function oneLine(what: string, text: unknown): string {
  if (typeof text !== 'string' || /[\r\n\0]/.test(text)) {
    throw new InvalidArgumentError(`${what} must be one line of text`)
  }
  return text
}

/** Accepts `address`, `Name <address>` or the two separately. */
export function parseMailbox(what: string, mailbox: unknown): Mailbox {
  if (typeof mailbox === 'string') {
    const [, name = '', address = mailbox] = /^([^<>]*)<([^<>]*)>$/.exec(mailbox) ?? []
    return { name: oneLine(what, name).trim(), address: plainAddress(what, address) }
  }
  if (typeof mailbox !== 'object' || mailbox === null) return parseMailbox(what, '')
  const { name = '', address }: { name?: unknown; address?: unknown } = mailbox
  return { name: oneLine(`${what}.name`, name), address: plainAddress(`${what}.address`, address) }
}
