import { isIP } from 'node:net'
import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyRequest } from 'fastify'
import type { ResolvedOptions } from '../options/options.js'
import type { SessionDetails } from '../seams/session-store.js'

/** The first that matches is it: most browsers also name those that they want to be taken for. */
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

/** What is read of a User-Agent, which anybody may make as long as they like. */
const maxLength = 512

/**
 * What a request says of its client. Of the User-Agent only two words are kept: they are enough to know a device
 * again in a list, and there is nothing in them that a page or a mail could be broken with.
 */
export function clientOf(
  request: FastifyRequest,
  { ip }: Pick<ResolvedOptions['session'], 'ip'>,
): Pick<SessionDetails, 'browser' | 'system' | 'ip'> {
  const agent = (request.headers['user-agent'] ?? '').slice(0, maxLength)
  const wordOf = (words: typeof browsers): string | null =>
    words.find(([pattern]) => pattern.test(agent))?.[1] ?? null
  return { browser: wordOf(browsers), system: wordOf(systems), ip: shownIp(request.ip, ip) }
}

/** The address, or the network that it is in: 256 neighbours, or what one site has of IPv6. */
function shownIp(address: string | undefined, how: ResolvedOptions['session']['ip']): string | null {
  // Over a Unix socket there is none; behind a proxy that is trusted too much it may be any text, and so may a zone.
  const [bare = ''] = (address ?? '').split('%')
  if (how === 'off' || isIP(bare) === 0) return null
  const whole = normalizeIP(bare, 128)
  if (how === 'full') return whole
  if (whole.includes(':')) return `${normalizeIP(bare, 48)}/48`
  return `${whole.split('.').slice(0, 3).join('.')}.0/24`
}
