import type { EmailAddress, UserFields } from 'fastify-accounts'
import type { Identity } from './identity.js'

/** The person who has proved an identity, and the address of an account whose maker had not. */
export interface Newcomer {
  identity: Identity
  address: EmailAddress
  /** Your own fields of the new user, from the provider. */
  fields: UserFields
  /** Those that the app's rule gives, before all others. Default: none. */
  grantedFields?: UserFields | undefined
  /** The roles that the app's rule gives to the new user. Default: none. */
  roles?: readonly string[] | undefined
  /** The id of the invitation that the app's rule has seen. Default: none. */
  invitation?: string | undefined
  /** Candidate usernames for the new user. */
  wishes: readonly string[]
}
