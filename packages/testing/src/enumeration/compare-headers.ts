/** Those that are other for each response: the time, and what counts by it. */
const moving = /^(date|age|retry-after|(x-)?ratelimit-reset)$/

/**
 * The headers of a response, each cookie without its value, of which only the length may tell.
 * @param varying the names of those whose values differ between two people without an account, as a request's id does. Default: none
 */
export function headersOf(
  headers: Record<string, unknown>,
  varying: ReadonlySet<string> = new Set(),
  shownCookie: (cookie: string) => string = withoutValue,
): string {
  return Object.keys(headers)
    .sort()
    .map((name) => {
      if (name === 'set-cookie') return `${name}: ${cookiesOf(headers).map(shownCookie).sort().join(', ')}`
      return moving.test(name) || varying.has(name) ? name : `${name}: ${headers[name]}`
    })
    .join('; ')
}

export function cookiesOf(headers: Record<string, unknown>): string[] {
  return [headers['set-cookie'] ?? []].flat().map(String)
}

/** The names of headers that differ between two responses which must be the same. */
export function varyingHeaders(
  one: Record<string, unknown>,
  other: Record<string, unknown>,
): ReadonlySet<string> {
  return new Set(Object.keys(one).filter((name) => name in other && `${one[name]}` !== `${other[name]}`))
}

/**
 * A cookie with the length of its value, and its lifetime, from an hour on in minutes. Each is another one, and what lasts long
 * may count from an earlier request.
 */
export function withoutValue(cookie: string): string {
  return cookie
    .replace(/=([^;]*)/, (_, value: string) => `=<${value.length}>`)
    .replace(/expires=[^;]*/i, 'expires')
    .replace(/max-age=(\d+)/i, (_, seconds: string) => `max-age=${lifetimeOf(Number(seconds))}`)
}

const lifetimeOf = (seconds: number): string =>
  seconds < 3600 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`
