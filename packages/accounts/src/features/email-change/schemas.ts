import type { Static } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import { named } from '../../http/openapi/openapi-components.js'

export const emailChangeReply = named(
  'EmailChange',
  Type.Object(
    {
      email: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
      expires_at: Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time' }),
    },
    { description: 'The address that awaits confirmation, and until when; both `null` if there is none' },
  ),
)
/** A new address that awaits confirmation, as shown to the account's owner. */
export type EmailChangeView = Static<typeof emailChangeReply>
