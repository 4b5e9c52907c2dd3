import type { Static } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import { email } from '../../http/input/schemas.js'
import { strictObject, text } from '../../http/input/strict-schema.js'
import { maxEmailLength } from '../../identifiers/email.js'

/** The sort orders of the list over HTTP; a minus reverses them. */
export const userOrders = { created_at: 'createdAt', username: 'usernameKey' } as const
type Order = keyof typeof userOrders | `-${keyof typeof userOrders}`

/** All parameters of the list; `limit` as by default. */
export const listParameters = strictObject({
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })),
  search: Type.Optional(text(maxEmailLength, 'How a name or an email address begins')),
  search_in: Type.Optional(
    Type.Unsafe<'names' | 'fields'>({
      type: 'string',
      enum: ['names', 'fields'],
      description:
        'With `fields`, what a custom field contains, instead of how a name begins. Default: names',
    }),
  ),
  is_active: Type.Optional(Type.Boolean({ description: 'Only users who are active, or only others' })),
  is_staff: Type.Optional(Type.Boolean({ description: 'Only staff, or only others' })),
  is_verified: Type.Optional(
    Type.Boolean({ description: 'Only users whose email address is verified, or only others' }),
  ),
  order: Type.Optional(
    Type.Unsafe<Order>({ type: 'string', description: 'With a minus, in descending order' }),
  ),
  view: Type.Optional(
    Type.Unsafe<'public' | 'own'>({
      type: 'string',
      enum: ['public', 'own'],
      description: 'Default: public',
    }),
  ),
})
export type ListQuery = Static<typeof listParameters>

/** What staff may change, besides the profile. */
export const userChanges = strictObject({
  email: Type.Optional(email),
  is_active: Type.Optional(Type.Boolean()),
  is_staff: Type.Optional(Type.Boolean()),
  is_verified: Type.Optional(Type.Boolean()),
})
