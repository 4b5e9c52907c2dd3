import type { FieldError } from 'fastify-accounts'
import type { Client } from 'fastify-accounts/features'
import type { Html } from '../html.js'
import { field } from '../parts/fields.js'

/** The field for a code of the authenticator app, or a recovery code. */
export function codeField(
  { texts }: Client['language'],
  factor: string,
  faults: readonly FieldError[],
): Html {
  const own = texts.pages.entrance_pages
  const common = { name: 'code', hasFocus: true, faults }
  return factor === 'recovery-code'
    ? field({ ...common, label: own.recovery_code, hint: own.recovery_hint, autocomplete: 'off' })
    : field({ ...common, label: own.app_code, autocomplete: 'one-time-code', inputMode: 'numeric' })
}
