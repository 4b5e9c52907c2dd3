import type { FeatureCore } from 'fastify-accounts/features'
import { fail } from '../settings.js'

/**
 * The style sheet of the site, as a source of a Content-Security-Policy: that file alone.
 * @returns `null` without `brand.stylesheet`
 * @throws Error with one line if it is of another site, which would learn who opens which page
 */
export function stylesheetSource({ brand, origin }: FeatureCore['options']): string | null {
  if (brand.stylesheet === null) return null
  const url = new URL(brand.stylesheet)
  if (url.origin !== origin) fail('brand.stylesheet', `must be a path of the site, got ${brand.stylesheet}`)
  return url.origin + url.pathname.replace(/[;,]/g, encodeURIComponent)
}
