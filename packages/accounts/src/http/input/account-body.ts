import type { Static, TObject, TProperties } from '@sinclair/typebox'
import type { ResolvedOptions } from '../../options/resolve.js'
import type { UserFields } from '../../user.js'
import { propertiesOf, writableOf } from './field-schemas.js'
import { type AccountBody, account, requiredAccount } from './schemas.js'

/**
 * The schema of a sign-up's body: name and address, as the options require them, your own
 * fields, and those of `signUp.fields`.
 * @param proof what the new user logs in with, as an object's schema
 */
export function accountBody<Proof extends TObject>(
  {
    requireEmailConfirmation,
    names,
    fields,
    signUp,
  }: Pick<ResolvedOptions, 'requireEmailConfirmation' | 'names' | 'fields' | 'signUp'>,
  proof: Proof,
): TObject & { static: AccountBody & Static<Proof> & UserFields } {
  const needsAddress = requireEmailConfirmation || names === 'none'
  const { username, email } = requiredAccount.properties
  const optional = account.properties
  const body = {
    ...account,
    properties: {
      ...(names === 'required' && { username }),
      ...(names === 'optional' && { username: optional.username }),
      ...proof.properties,
      email: needsAddress ? email : optional.email,
      ...(writableOf(fields) as TProperties),
      ...(propertiesOf(signUp.fields) as TProperties),
    },
    required: [
      ...(names === 'required' ? ['username'] : []),
      ...(proof.required ?? []),
      ...(needsAddress ? ['email'] : []),
      ...(fields?.required ?? []),
      ...(signUp.fields?.required ?? []),
    ],
  }
  return body as TObject & { static: AccountBody & Static<Proof> & UserFields }
}
