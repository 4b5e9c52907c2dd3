import { inspect } from 'node:util'

/** One label of a host name (RFC 1123 section 2.1), as `URL` spells it: lower case, with international ones in ASCII. */
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * The http(s) URL in an option, if browsers can open it; otherwise `null`. Stricter than `URL`, which also takes
 * wildcards, underscores, dots without a label, `https:example.org` and `https://undefined`. It has no credentials, spaces
 * or backslashes.
 */
export function webUrl(value: unknown): URL | null {
  if (typeof value !== 'string' || !/^https?:\/\/[^/?#@]+(?:[/?#]|$)/i.test(value)) return null
  const url = /[\s\\\p{Cc}]/u.test(value) ? null : parsed(value)
  return url !== null && isHost(url.hostname) && url.port !== '0' ? url : null
}

/** Once optimized, `URL.canParse` of Node.js 20 denies international hosts. */
function parsed(value: string): URL | null {
  try {
    return new URL(value)
  } catch {
    return null
  }
}

/** Whether it is an origin, as browsers send it in `Origin`. */
export function isWebOrigin(value: unknown): value is string {
  return webUrl(value)?.origin === value
}

const host = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\.)(?::[1-9]\d{0,4})?$/i
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The schemes of apps and browser extensions that send an `Origin`, and what follows `://` there. */
const appSchemes: Readonly<Record<string, RegExp>> = {
  app: host,
  capacitor: host,
  'chrome-extension': /^[a-p]{32}$/,
  exp: host,
  ionic: host,
  'moz-extension': uuid,
  'safari-web-extension': uuid,
  tauri: host,
  'vscode-webview': /^[a-z0-9-]+$/,
  wails: host,
}

/** For messages. */
export const appSchemeNames: string = Object.keys(appSchemes).join(', ')

/** Whether it is the origin of an app in a web view, or of a browser extension, as it sends it in `Origin`. */
export function isAppOrigin(value: unknown): value is string {
  const [, scheme = '', rest = ''] =
    typeof value === 'string' ? (/^([a-z-]+):\/\/(.+)$/s.exec(value) ?? []) : []
  return Object.hasOwn(appSchemes, scheme) && appSchemes[scheme]?.test(rest) === true
}

/** Whether it is a host name or IP address, as browsers send it in `Host`. */
export function isWebHost(value: unknown): value is string {
  return webUrl(`https://${value}`)?.host === value
}

/** A URL that was given, for an error message: in one line, without credentials. */
export function shownUrl(value: unknown): string {
  const text = typeof value === 'string' ? value.replace(/\/\/[^/?#]*@/, '//…@') : value
  return inspect(text, { breakLength: Number.POSITIVE_INFINITY, depth: 0 })
}

/** How a host ends that a template was given no value for, as in `https://${host}`. Real ones have such labels before: nan.go.th. */
const unset = /(?:^|\.)(?:undefined|null|nan)$/

/** `URL` has checked the addresses: one of version 6 is in brackets, and only one of version 4 ends with a number. */
function isHost(hostname: string): boolean {
  return (
    hostname.startsWith('[') ||
    (hostname.length <= 253 && !unset.test(hostname) && hostname.split('.').every((each) => label.test(each)))
  )
}
