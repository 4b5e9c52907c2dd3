import type { PageVisit } from 'fastify-accounts/features'
import { type Html, html } from '../html.js'
import type { Site } from '../site.js'
import { submit } from './buttons.js'
import { hidden } from './fields.js'

/** Another service that people log in with. */
interface ShownProvider {
  /** In paths. */
  name: string
  label: string
}

/** The providers that people can log in with here, in the order of the option. */
export function providersOf({ core }: Pick<Site, 'core'>): ShownProvider[] {
  return core.beginnings.flatMap(({ provider }) => provider ?? [])
}

/** What somebody knows a provider by; `null` for an id elsewhere that is of none. */
export const providerName = <Name extends string | null>(
  site: Pick<Site, 'core'>,
  provider: Name,
): string | Name => providersOf(site).find(({ name }) => name === provider)?.label ?? provider

/**
 * A button for each provider: logs in, and signs up whom it doesn't know.
 * @param facts.next where the browser goes afterwards: a path of the site, for each provider
 * @param facts.badge of the provider with this name, such as the one used last
 */
export function providerButtons(
  site: Site,
  { client }: Pick<PageVisit, 'client'>,
  facts: { next: (provider: string) => string; badge?: { name: string; text: string } | undefined },
): Html[] {
  const { say, texts } = client.language
  const { next, badge } = facts
  return providersOf(site).map(({ name, label }) => {
    const text = say(texts.pages.entrance_pages.continue_with, { provider: label })
    const mark = badge?.name === name && html` <span data-part="badge">${badge.text}</span>`
    return html`<form method="post" action="${site.core.where.path('login-with', { provider: name })}" data-part="way">
${hidden('from_page', 'true')}
${hidden('next', next(name))}
${submit(text, 'quiet')}${mark}
</form>`
  })
}
