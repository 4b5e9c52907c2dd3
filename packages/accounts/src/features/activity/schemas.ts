import * as Type from '@sinclair/typebox'
import { named } from '../../http/openapi/openapi-components.js'

const textOrNull = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description })

export const activityReply = named(
  'ActivityList',
  Type.Object({
    results: Type.Array(
      named(
        'Activity',
        Type.Object({
          id: Type.String(),
          type: Type.String({ description: 'The type of the event, such as `user.password_changed`' }),
          at: Type.String({ format: 'date-time' }),
          actor: Type.Unsafe<'request' | 'staff' | 'host' | 'command' | 'plugin'>({
            type: 'string',
            enum: ['request', 'staff', 'host', 'command', 'plugin'],
            description:
              '`request`: you, or somebody who was not logged in; `staff`: another user; otherwise the app itself',
          }),
          device: textOrNull('Browser and system of a request, such as `Firefox, Linux`'),
          network: textOrNull('Network of a request, such as `192.0.2.0/24`'),
          data: Type.Object({}, { additionalProperties: true, description: 'What the event tells' }),
        }),
      ),
    ),
    next: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'URL of the next page' }),
  }),
)
