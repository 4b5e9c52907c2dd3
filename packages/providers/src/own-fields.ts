import { AccountsError, type FieldError, type UserFields } from 'fastify-accounts'
import { fieldsSizeFaults } from 'fastify-accounts/features'
import type { ProviderDeps } from './deps.js'
import type { Issuer } from './issuer.js'
import type { Profile } from './provider.js'

type Service = Pick<Issuer, 'provider' | 'label'>

/** @throws AccountsError ACCOUNTS_INVALID_INPUT if a new user may not have them */
export function ownFields(
  { options }: Pick<ProviderDeps, 'options'>,
  issuer: Service,
  profile: Profile,
): UserFields {
  const own = issuer.provider.fields?.(profile) ?? {}
  const faults = options.checkFields(own)
  if (faults.length === 0) faults.push(...fieldsSizeFaults(own))
  if (faults.length > 0) throw unusable(issuer, faults)
  return own
}

/** There is no form to correct: what is wrong is at the provider, or in how the app uses it. */
export function unusable({ label, provider }: Service, fields: FieldError[]): AccountsError {
  const words = fields.map(({ field, code }) => `${field} ${code}`.trim()).join(', ')
  const cause = new Error(
    `the profile from ${provider.name}, or what its \`fields\` returned, is invalid: ${words}`,
  )
  return new AccountsError('ACCOUNTS_INVALID_INPUT', {
    reason: 'unusable_profile',
    provider: label,
    fields,
    cause,
  })
}
