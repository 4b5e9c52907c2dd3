import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { InvalidArgumentError } from 'fastify-accounts'

/** A name to show and an address to deliver to. */
export interface Mailbox {
  name: string
  address: string
}

/** White space, controls, and whatever quotes, comments, lists, groups, routes and literals are written with. */
const notPlain = /[\s\p{Cc}"(),:;<>@[\]\\]/u

/** Letters, digits and hyphens, in labels between single dots. */
const hostName = /^[a-z0-9-]+(\.[a-z0-9-]+)*$/i

/**
 * The address in the one form in which it goes out: a domain of other scripts under its ASCII name.
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
  // `0x7f.1` becomes 127.0.0.1, which is no name.
  if (!hostName.test(ascii) || isIP(ascii) !== 0) throw new InvalidArgumentError(refusal)
  return `${local}@${ascii}`
}

/** @throws InvalidArgumentError where the text would begin a header of its own */
export function oneLine(what: string, text: unknown): string {
  if (typeof text !== 'string' || /[\r\n\0]/.test(text)) {
    throw new InvalidArgumentError(`${what} must be one line of text`)
  }
  return text
}

/** Takes `address`, `Name <address>` or the two apart. */
export function parseMailbox(what: string, mailbox: unknown): Mailbox {
  if (typeof mailbox === 'string') {
    const [, name = '', address = mailbox] = /^([^<>]*)<([^<>]*)>$/.exec(mailbox) ?? []
    return { name: oneLine(what, name).trim(), address: plainAddress(what, address) }
  }
  if (typeof mailbox !== 'object' || mailbox === null) return parseMailbox(what, '')
  const { name = '', address }: { name?: unknown; address?: unknown } = mailbox
  return { name: oneLine(`${what}.name`, name), address: plainAddress(`${what}.address`, address) }
}
