import type { Brand } from './brand.js'
import { checkKeys, fail } from './checks.js'
import type { AccountsOptions } from './options.js'

/**
 * Checks the option `brand` and puts its defaults in.
 * @throws Error with one line that names the option
 */
export function checkBrand(given: NonNullable<AccountsOptions['brand']>, baseUrl: URL): Brand {
  const { name, logo, url, color, footer } = checkKeys('brand', given, [
    'name',
    'logo',
    'url',
    'color',
    'footer',
  ])
  return Object.freeze({
    name: name === undefined ? baseUrl.host : checkLine('brand.name', name, 80),
    logo: logo === undefined ? null : checkLogo(logo),
    url: url === undefined ? null : checkUrl(url, baseUrl),
    color: checkColor(color ?? '#1d4ed8'),
    footer: footer === undefined ? null : checkLine('brand.footer', footer, 500),
  })
}

function checkLine(option: string, value: unknown, max: number): string {
  if (
    typeof value !== 'string' ||
    value.trim() === '' ||
    value.length > max ||
    /[\p{Cc}\p{Zl}\p{Zp}]/u.test(value)
  )
    fail(option, `must be one line of text, at most ${max} characters`)
  return value
}

/** A mail is read elsewhere, so that a path alone leads nowhere, and most clients show no `data:` URL. */
function checkLogo(value: unknown): string {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : null
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    fail('brand.logo', 'must be the http(s) URL of a picture, such as https://example.org/logo.png')
  return url.href
}

/** A path is one of the site. */
function checkUrl(value: unknown, baseUrl: URL): string {
  const url = typeof value === 'string' && URL.canParse(value, baseUrl.href) ? new URL(value, baseUrl) : null
  const isElsewhere = typeof value === 'string' && /^[/\\]{2}/.test(value)
  if (url === null || isElsewhere || !['http:', 'https:'].includes(url.protocol))
    fail('brand.url', 'must be a path such as /app, or an http(s) URL')
  return url.href
}

function checkColor(value: unknown): string {
  if (typeof value !== 'string' || !/^#([0-9a-f]{3}|[0-9a-f]{6})$/i.test(value))
    fail('brand.color', 'must be a hex colour such as #1d4ed8')
  const [, digits = ''] = value.toLowerCase().split('#')
  return `#${digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits}`
}
