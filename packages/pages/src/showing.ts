import { type PageResult, type PageTheme, type PageVisit, shownName } from 'fastify-accounts/features'
import type { Flash } from './flash.js'
import { compact } from './frame/compact.js'
import { documentOf } from './frame/document.js'
import { policyOf } from './frame/policy.js'
import type { Site } from './site.js'
import type { View } from './view.js'

/** Responds with a page, and with the message that waits for it. */
export function showing(site: Site, visit: PageVisit, view: View, flash?: Flash): PageResult {
  const { who } = visit
  const { notice } = flash ?? site.flashes.take(visit)
  const { options } = site.core
  const user = who && { id: who.user.id, name: shownName(options, who.user) ?? who.user.email }
  const script = view.script === undefined ? {} : { script: compact(view.script) }
  const whole = { ...view, ...script, notice: view.notice ?? notice ?? cancellation(visit, view) }
  const facts = { user, url: visit.url }
  return {
    page: (theme: PageTheme) => documentOf(site, theme, whole, facts),
    policy: policyOf(site, whole),
    ...(view.status !== undefined && { status: view.status }),
  }
}

/** Somebody is back from a provider where they have canceled. */
function cancellation({ client, query }: PageVisit, { status }: View): View['notice'] {
  if (query.canceled === undefined || status !== undefined) return undefined
  return { tone: 'info', text: client.language.texts.pages.link_pages.canceled }
}
