import { createHash } from 'node:crypto'
import type { Site } from '../site.js'
import type { View } from '../view.js'
import { script } from './script.js'
import { styleOf } from './style.js'

/** Of texts that stay the same: our style, and the scripts of pages. */
const digests = new Map<string, string>()

function digestOf(text: string): string {
  const before = digests.get(text)
  if (before !== undefined) return before
  const digest = `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  digests.set(text, digest)
  return digest
}

/** Whether scripts of the site must not run on a page. */
export const isSecret = ({ kind, isSecret = false }: Pick<View, 'kind' | 'isSecret'>): boolean =>
  kind === 'link' || isSecret

/**
 * The Content-Security-Policy of a page: nothing from elsewhere, our style, our scripts, and forms to this site alone. With
 * `layout` also files of the site, and the style that it has in its documents; its scripts only where no link or code is.
 */
export function policyOf(
  { core, layout, stylesheet }: Site,
  view: Pick<View, 'kind' | 'isSecret' | 'script'>,
): string {
  const { script: own = '' } = view
  const self = layout === null ? [] : ["'self'"]
  const sheets = layout === null ? [stylesheet ?? []].flat() : self
  const styles = [styleOf(core.options.brand), ...(layout?.styles ?? [])].map(digestOf)
  const scripts = [script, own].filter((each) => each !== '').map(digestOf)
  return [
    "default-src 'none'",
    `style-src ${[...styles, ...sheets].join(' ')}`,
    `script-src ${[...scripts, ...(isSecret(view) ? [] : self)].join(' ')}`,
    "connect-src 'self'",
    "img-src 'self' data:",
    ...(sheets.length > 0 ? ["font-src 'self'"] : []),
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
