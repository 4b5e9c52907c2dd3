import type { PageVisit } from 'fastify-accounts/features'
import { linkButton } from './parts/buttons.js'
import { providerName } from './parts/provider-buttons.js'
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
  const label = providerName(site, provider)
  const { say, texts } = visit.client.language
  const { going_to, go_to } = texts.pages.way_pages
  return {
    ...{ page: 'going-on', kind: 'form', movesOnTo: location },
    heading: say(going_to, { provider: label }),
    main: linkButton(say(go_to, { provider: label }), location),
  }
}
