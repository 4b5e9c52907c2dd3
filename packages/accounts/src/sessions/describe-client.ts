import { BlockList, isIP } from 'node:net'
import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyRequest } from 'fastify'
import type { ResolvedOptions } from '../options/resolve.js'
import { sharedRequestSlot } from '../request-slot.js'
import type { SessionDetails } from '../seams/session-store.js'

/** The first match wins, because most browsers also name those that they imitate. */
const browsers: readonly [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|OPT|Opera)\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/\S+ .*\bSafari\//, 'Safari'],
]
const systems: readonly [RegExp, string][] = [
  [/\b(iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

/** How much of a User-Agent is read; clients can send any length. */
const maxLength = 512

/**
 * Describes a request's client. Only two words of the User-Agent are kept: enough to recognize a device in a
 * list, and nothing in them can break a page or an email.
 */
export function describeClient(
  request: FastifyRequest,
  { ip }: Pick<ResolvedOptions['session'], 'ip'>,
): Pick<SessionDetails, 'browser' | 'system' | 'ip'> {
  const agent = (request.headers['user-agent'] ?? '').slice(0, maxLength)
  const wordOf = (words: typeof browsers): string | null =>
    words.find(([pattern]) => pattern.test(agent))?.[1] ?? null
  return { browser: wordOf(browsers), system: wordOf(systems), ip: shownIp(addressOf(request), ip) }
}

/**
 * The client's address, without the port that some gateways append (`192.0.2.1:567`, `[2001:db8::1]:567`) and
 * without a zone. `null` over a Unix socket, or if a proxy wrote something that is no address.
 */
export function addressOf(request: Pick<FastifyRequest, 'ip'>): string | null {
  return addresses.getOrCreate(request, () => addressIn(request))
}

/** Behind a proxy, Fastify parses the header again on each access to `ip`. */
const addresses = sharedRequestSlot<string | null>('address')

/** The same, parsed anew. */
export function addressIn({ ip }: Pick<FastifyRequest, 'ip'>): string | null {
  const [, inBrackets, beforePort] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/.exec(ip ?? '') ?? []
  const [bare = ''] = (inBrackets ?? beforePort ?? ip ?? '').split('%')
  return isIP(bare) === 0 ? null : bare
}

/**
 * The client's network, for emails to people, who compare it with their own. None for an address that is only the
 * proxy's, because the app doesn't trust it: every client would seem to be in one network.
 */
export function networkOf(
  request: FastifyRequest,
  { ip }: Pick<ResolvedOptions['session'], 'ip'>,
): string | null {
  const address = addressOf(request)
  if (ip === 'off' || address === null) return null
  // This machine's own tells nobody where a request came from.
  if (isIn(loopback, address) || isOfUntrustedProxy(request, address)) return null
  return shownIp(address, 'truncated')
}

/** The much larger network of a provider that a client's network, as `networkOf` returns it, is part of. */
export function providerNetwork(network: string): string {
  const [address = ''] = network.split('/')
  return address.includes(':') ? normalizeIP(address, 32) : address.split('.').slice(0, 2).join('.')
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

const privateNetworks = new BlockList()
privateNetworks.addSubnet('10.0.0.0', 8)
privateNetworks.addSubnet('172.16.0.0', 12)
privateNetworks.addSubnet('192.168.0.0', 16)
privateNetworks.addSubnet('fc00::', 7, 'ipv6')

/**
 * Whether the address is that of a proxy in a private network that the app doesn't trust. From a public address the header
 * isn't believed: anyone can send it, and must not hide their network with it.
 */
function isOfUntrustedProxy({ headers, socket }: FastifyRequest, address: string): boolean {
  const isPeer = addressIn({ ip: socket.remoteAddress ?? '' }) === address
  return isPeer && headers['x-forwarded-for'] !== undefined && isIn(privateNetworks, address)
}

function isIn(list: BlockList, address: string): boolean {
  const plain = normalizeIP(address, 128)
  return list.check(plain, plain.includes(':') ? 'ipv6' : 'ipv4')
}

/** The address, or its network: 256 neighbors, or one site's share of IPv6. */
function shownIp(address: string | null, how: ResolvedOptions['session']['ip']): string | null {
  if (how === 'off' || address === null) return null
  const whole = normalizeIP(address, 128)
  if (how === 'full') return whole
  if (whole.includes(':')) return `${normalizeIP(address, 48)}/48`
  return `${whole.split('.').slice(0, 3).join('.')}.0/24`
}
