import type { FieldError } from 'fastify-accounts'
import { type PageResult, type PageTheme, type PageVisit, shownName } from 'fastify-accounts/features'
import type { Flash } from './flash.js'
import { documentOf } from './frame/document.js'
import type { LayoutParts } from './frame/layout-parts.js'
import { policyOf } from './frame/policy.js'
import type { Html } from './html.js'
import type { Site } from './site.js'

/** What one page shows. */
export interface View {
  /** Its name, stable for style sheets: `data-page`. */
  page: string
  kind: LayoutParts['kind']
  heading: string
  /** Below the heading. */
  main: Html
  /** Of the window. Default: the heading. */
  title?: string
  /** What is wrong with its form, for the summary at its top. Default: nothing. */
  faults?: readonly FieldError[]
  /** At most one. Default: the message of the form before. */
  notice?: Notice | undefined
  /** Leads back, above the heading. Default: nothing. */
  back?: { to: string; label: string }
  /** A module, besides the script of every page. Default: none. */
  script?: string
  /** Default 200. */
  status?: number
}

/** One line above the form that says what has happened. */
export interface Notice {
  tone: 'good' | 'info' | 'fault'
  text: string | Html
}

/** Responds with a page, and with the message that waits for it. */
export function showing(site: Site, visit: PageVisit, view: View, flash?: Flash): PageResult {
  const { client, who } = visit
  const { notice } = flash ?? site.flashes.take(client)
  const { options } = site.core
  const user = who && { id: who.user.id, name: shownName(options, who.user) ?? who.user.email }
  const whole = { ...view, notice: view.notice ?? notice }
  const facts = { user, url: visit.url, languages: options.languages.all }
  return {
    page: (theme: PageTheme) => documentOf(site, theme, whole, facts),
    policy: policyOf(site, view),
    ...(view.status !== undefined && { status: view.status }),
  }
}
