import type { PageTheme } from 'fastify-accounts/features'
import { type Html, html, nothing } from '../html.js'

/** The logo, with the one for dark pages, or the name. Pictures of other origins aren't shown, so no other site learns of a page. */
export function logo({ brand, origin }: PageTheme): Html {
  const isOwn = (url: string | null): url is string => url !== null && new URL(url).origin === origin
  const light = isOwn(brand.logo) ? brand.logo : null
  const dark = isOwn(brand.darkLogo) ? brand.darkLogo : light
  const first = brand.scheme === 'dark' ? dark : light
  if (first === null) return html`<bdi>${brand.name}</bdi>`
  const source =
    brand.scheme !== 'auto' || dark === light
      ? nothing
      : html`<source srcset="${dark}" media="(prefers-color-scheme: dark)">`
  return html`<picture>${source}<img src="${first}" alt="${brand.name}"></picture>`
}
