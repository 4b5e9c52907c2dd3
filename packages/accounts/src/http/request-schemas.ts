import type { Static, TObject, TProperties } from '@sinclair/typebox'
import type { ResolvedOptions } from '../options/resolve.js'
import type { ListAbility } from '../seams/user-store.js'
import type { FieldsSchema } from '../user.js'
import { type Names, orNull, propertiesOf, withOptional } from './field-schemas.js'
import {
  account,
  type checkbox,
  listParameters,
  loginBodies,
  nameChanges,
  passwordBody,
  passwordOrNewBody,
  passwordPair,
  requiredAccount,
  type UserChanges,
  userChanges,
} from './schemas/requests.js'

/** Whether a checkbox is checked; one that isn't sent isn't. */
export const isChecked = (value: Static<typeof checkbox> = false): boolean =>
  value !== false && value !== 'false'
export function loginBody({
  login: { byUsername, byEmail },
}: Pick<ResolvedOptions, 'login'>): typeof loginBodies.either {
  if (!byEmail) return loginBodies.username
  return byUsername ? loginBodies.either : loginBodies.email
}

/** The password, or one of the factors. */
export function confirmBody(factors: readonly { field: string; schema: object }[]): TObject {
  return withFactors(passwordBody, factors)
}
/** Nothing, or what shows who made the account, or a new password. */
export function verifyBody(factors: readonly { field: string; schema: object }[]): TObject {
  return withFactors(passwordOrNewBody, factors)
}

function withFactors(body: TObject, factors: readonly { field: string; schema: object }[]): TObject {
  return withOptional(body, Object.fromEntries(factors.map(({ field, schema }) => [field, schema])))
}

/** @param fields your own */
export function createUserBody(
  fields: FieldsSchema | undefined,
  options: Pick<ResolvedOptions, 'requireEmailConfirmation' | 'names'>,
): TObject {
  return accountBody(fields, options, passwordPair)
}

/**
 * The body of a sign-up.
 * @param fields your own
 * @param proof what the new user logs in with, as an object's schema
 */
export function accountBody(
  fields: FieldsSchema | undefined,
  { requireEmailConfirmation, names }: Pick<ResolvedOptions, 'requireEmailConfirmation' | 'names'>,
  proof: Pick<TObject, 'properties' | 'required'>,
): TObject {
  const needsAddress = requireEmailConfirmation || names === 'none'
  const { username, email } = requiredAccount.properties
  const optional = account.properties
  return {
    ...account,
    properties: {
      ...(names === 'required' && { username }),
      ...(names === 'optional' && { username: optional.username }),
      ...proof.properties,
      email: needsAddress ? email : optional.email,
      ...(propertiesOf(fields) as TProperties),
    },
    required: [
      ...(names === 'required' ? ['username'] : []),
      ...(proof.required ?? []),
      ...(needsAddress ? ['email'] : []),
      ...(fields?.required ?? []),
    ],
  }
}

export type ProfileBody = { username?: string | null }

/**
 * What users may change about themselves: all of it is optional, and no default may replace a value. `null`
 * removes a field that isn't required, as in a JSON Merge Patch (RFC 7396).
 * @param fields your own
 */
export function profileBody(fields: FieldsSchema | undefined, names: Names): TObject {
  const own = Object.entries(propertiesOf(fields)).map(([name, schema]) => {
    const { default: _, ...others } = schema as { default?: unknown }
    return [name, fields?.required?.includes(name) ? others : orNull(others)]
  })
  return withOptional(nameChanges[names], Object.fromEntries(own))
}

/** The sort orders of the list over HTTP; a minus reverses them. */
export const userOrders = { created_at: 'createdAt', username: 'usernameKey' } as const
type OrderName = keyof typeof userOrders

export interface ListQuery {
  limit: number
  cursor?: string
  search?: string
  is_active?: boolean
  is_staff?: boolean
  is_verified?: boolean
  order?: OrderName | `-${OrderName}`
  view?: 'public' | 'own'
}

/** The list's parameters. What the user store can't do is unknown, and so is sorting by an optional username. */
export function listQuery(abilities: readonly ListAbility[], usernames: Names): TObject {
  const names = Object.entries(userOrders).filter(
    ([, by]) => abilities.includes(by) && (by !== 'usernameKey' || usernames === 'required'),
  )
  const { limit, cursor, search, is_active, is_staff, is_verified, order, view } = listParameters.properties
  return {
    ...listParameters,
    properties: {
      limit,
      cursor,
      ...(abilities.includes('prefix') && { search }),
      ...(abilities.includes('flags') && { is_active, is_staff, is_verified }),
      ...(names.length > 0 && { order: { ...order, enum: names.flatMap(([name]) => [name, `-${name}`]) } }),
      view,
    },
  }
}

export type UserBody = ProfileBody & UserChanges

/**
 * What users may change about others: as in `profileBody`, and more.
 * @param fields your own
 */
export function userBody(fields: FieldsSchema | undefined, names: Names): TObject {
  return withOptional(profileBody(fields, names), userChanges.properties)
}
