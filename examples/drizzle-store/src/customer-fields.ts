import { assertText, type JsonValue, type UserFields } from 'fastify-accounts'
import { type CustomerRow, customers } from './customers.js'

/** The option `users.fields`: what customers may enter at signup. */
export const customerFields = {
  type: 'object',
  properties: {
    full_name: { type: 'string', minLength: 1, maxLength: 120 },
    phone: { type: 'string', pattern: '^\\+[0-9]{7,15}$' },
  },
  required: ['full_name'],
} as const

/** Fields with a column of their own. */
export const fieldColumns = { full_name: customers.fullName, phone: customers.phone }

type FieldColumns = Pick<CustomerRow, 'fullName' | 'phone' | 'moreFields'>

/**
 * These fields go into their columns, the others into one JSON column.
 * @throws InvalidArgumentError
 */
export function toFieldColumns({ full_name, phone, ...moreFields }: UserFields): FieldColumns {
  return { fullName: toColumn('full_name', full_name), phone: toColumn('phone', phone), moreFields }
}

/** An empty column, as in old customers' rows, is an absent field. */
export function fromFieldColumns({ fullName, phone, moreFields }: FieldColumns): UserFields {
  return { ...moreFields, ...(fullName && { full_name: fullName }), ...(phone && { phone }) }
}

function toColumn(name: string, value: JsonValue | undefined): string | null {
  if (value === undefined) return null
  assertText(name, value)
  return value
}
