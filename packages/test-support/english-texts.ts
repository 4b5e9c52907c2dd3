import type { AccountsOptions } from 'fastify-accounts'
import { composeFeatures } from '../accounts/src/features/compose.js'
import { shippedFor } from '../accounts/src/features/shipped.js'

/** All English texts of a mount with these features, to be those of a language that an app adds. */
export function englishTexts(features: NonNullable<AccountsOptions['features']> = []): object {
  return composeFeatures(shippedFor({ features }), features).names.catalogue.en ?? {}
}
