import type { Client } from 'fastify-accounts/features'
import { html } from '../html.js'
import type { Row } from '../parts/rows.js'
import type { Site } from '../site.js'

/** Something that has happened, as `listActivity` tells it. */
export interface Activity {
  type: string
  at: string
  actor: string
  device: string | null
  network: string | null
  data: { has_password?: unknown; factor?: unknown }
}

/** When it was, what, by whom, and from where. */
export function activityRow(site: Site, language: Client['language'], entry: Activity): Row {
  const { at, device, network } = entry
  const { timeZone } = site.core.options.brand
  const place = [byWhom(site, language, entry), device, network].filter((each) => each !== null)
  const what = whatOf(language, entry)
  return {
    label: language.time(new Date(at), timeZone),
    value: place.length === 0 ? what : html`${what}<br>${place.join(' · ')}`,
  }
}

/** A type that a feature of the app's own brings is shown as it is. */
function whatOf({ texts }: Client['language'], { type, data }: Activity): string {
  const { events } = texts.pages.account_pages
  if (type === 'user.password_changed' && data.has_password === false) return events['user.password_removed']
  return (events as Readonly<Record<string, string>>)[type] ?? type
}

/** `null` for the owner. */
function byWhom({ core }: Site, { say, texts }: Client['language'], { actor }: Activity): string | null {
  if (actor === 'request') return null
  const { by_staff, by_site } = texts.pages.account_pages
  return say(actor === 'staff' ? by_staff : by_site, { site: core.options.brand.name })
}
