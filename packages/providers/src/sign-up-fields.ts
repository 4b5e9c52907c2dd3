import type { TObject, TProperties } from '@sinclair/typebox'
import type { UserFields } from 'fastify-accounts'
import { type FeatureCore, fieldError, invalidInput } from 'fastify-accounts/features'

type Options = Pick<FeatureCore['options'], 'signUp'>

/** What a flow may carry, in KiB of JSON: it is kept in a cookie. */
const most = 1

const declared = ({ signUp }: Options): object => signUp.fields?.properties ?? {}

/** Adds the fields of `signUp.fields` to a body. All are optional, because most logins sign nobody up. */
export function withSignUpFields<Body extends TObject>(options: Options, body: Body): Body {
  return { ...body, properties: { ...body.properties, ...(declared(options) as TProperties) } }
}

/** Those of a body. */
export function signUpFieldsIn(options: Options, body: object): UserFields {
  const names = declared(options)
  return Object.fromEntries(Object.entries(body).filter(([name]) => Object.hasOwn(names, name)))
}

/** @throws AccountsError ACCOUNTS_INVALID_INPUT if a flow can't carry them */
export function checkFlowSize(fields: UserFields): void {
  if (sizeOf(fields) > most * 1024)
    throw invalidInput(fieldError('', 'too_long', { text: 'fields_size', count: most }))
}

/** Of their JSON, in bytes. What is nested too deep for JSON takes more than a flow can carry. */
function sizeOf(fields: UserFields): number {
  try {
    return Buffer.byteLength(JSON.stringify(fields))
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
