import type { EmailAddress, UserFields } from 'fastify-accounts'
import { type Acceptance, fieldsWithin, giftOf } from 'fastify-accounts/features'
import type { Identity } from './identity.js'

/** The person who has proved an identity, and an address that nobody had proved before. */
export interface Newcomer {
  identity: Identity
  address: EmailAddress
  /** Your own fields of the new user, from the provider. */
  fields: UserFields
  /** Those that the app's rule gives, before all others. Default: none. */
  grantedFields?: UserFields | undefined
  /** The roles that the app's rule gives to the new user. Default: none. */
  roles?: readonly string[] | undefined
  /** Candidate usernames for the new user. */
  wishes: readonly string[]
}

/** The rule's own, then those of the invitations, then the provider's, as far as they fit. */
export function fieldsOf(
  { fields, grantedFields = {} }: Pick<Newcomer, 'fields' | 'grantedFields'>,
  acceptances: readonly Acceptance[],
): UserFields {
  const gifts = acceptances.map(({ invitation }) => giftOf(invitation).fields)
  return [...gifts, fields].reduce(fieldsWithin, grantedFields)
}
