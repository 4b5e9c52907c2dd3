import type { PageVisit } from 'fastify-accounts/features'
import { html } from './html.js'
import { linkButton } from './parts/buttons.js'
import { providersOf } from './parts/provider-buttons.js'
import type { Site } from './site.js'
import type { View } from './view.js'

/**
 * Begins a flow at a provider. A page moves on by itself, as browsers apply the policy for forms to the redirects that follow.
 * @param operation whose parameter is the provider
 * @param next the path that the browser comes back to
 * @throws AccountsError
 */
export async function goToProvider(
  site: Site,
  visit: PageVisit,
  operation: 'confirmWith' | 'addIdentity',
  provider: string,
  next: string,
): Promise<View> {
  const params = operation === 'addIdentity' ? { id: provider } : { provider }
  const { body } = await visit.perform(operation, { params, body: { next } })
  const { location } = body as { location: string }
  const label = providersOf(site).find(({ name }) => name === provider)?.label ?? provider
  const { say, texts } = visit.client.language
  const heading = say(texts.pages.entrance_pages.continue_with, { provider: label })
  return {
    ...{ page: 'provider', kind: 'form', heading, movesOnTo: location },
    main: html`${linkButton(heading, location)}`,
  }
}
