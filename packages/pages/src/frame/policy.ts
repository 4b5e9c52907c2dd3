import { createHash } from 'node:crypto'
import type { Site } from '../site.js'
import type { View } from '../view.js'
import { script } from './script.js'
import { styleOf } from './style.js'

const digestOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/**
 * The Content-Security-Policy of a page: nothing from elsewhere, our style, our scripts, and forms to this site alone. With
 * `layout` also files of the site; its scripts only where no link or code is.
 */
export function policyOf(
  { core, settings }: Site,
  { kind, script: own = '' }: Pick<View, 'kind' | 'script'>,
): string {
  const { brand } = core.options
  const isFramed = settings.layout !== undefined
  const self = isFramed ? ["'self'"] : []
  const scripts = [script, own].filter((each) => each !== '').map(digestOf)
  return [
    "default-src 'none'",
    `style-src ${[digestOf(styleOf(brand)), ...self].join(' ')}`,
    `script-src ${[...scripts, ...(kind === 'link' ? [] : self)].join(' ')}`,
    "connect-src 'self'",
    "img-src 'self' data:",
    ...(isFramed ? ["font-src 'self'"] : []),
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
