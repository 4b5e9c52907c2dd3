import type { TUnsafe } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import type { FeatureEvents } from '../../feature-names.js'
import type { AccountEvent, EventData } from '../../seams/events.js'
import type { AccountOrigin } from '../../user.js'
import { named } from './openapi-components.js'
import type { SchemaOf } from './schema-of.js'

const text = Type.String()
const textOrNull = Type.Unsafe<string | null>({ type: ['string', 'null'] })
const texts = Type.Array(text)
const nothing = Type.Unsafe<Record<string, never>>({ type: 'object' })
const formerId = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  description: 'The account that this one replaces',
})
const origin = Type.Unsafe<AccountOrigin>({ type: 'string', enum: ['self', 'staff', 'host', 'import'] })

/** The `data` of each type of event that the plugin has without features of other packages. */
const data = {
  'user.created': Type.Object({ origin }),
  'user.verified': nothing,
  'user.updated': Type.Object({ fields: texts }),
  'user.email_changed': nothing,
  'user.password_changed': Type.Object({ has_password: Type.Boolean() }),
  'user.disabled': nothing,
  'user.enabled': nothing,
  'user.roles_changed': Type.Object({ added: texts, removed: texts, is_staff: Type.Boolean() }),
  'user.handed_over': Type.Object({ former_id: formerId }),
  'user.secured': nothing,
  'user.deleted': nothing,
  'users.imported': Type.Object({ count: Type.Integer() }),
  'invitation.created': Type.Object({ invitation_id: text }),
  'invitation.accepted': Type.Object({ invitation_id: text }),
  'invitation.withdrawn': Type.Object({ invitation_id: text }),
  'factor.added': Type.Object({ factor: text }),
  'factor.removed': Type.Object({ factor: text }),
  'passkey.added': Type.Object({ passkey_id: text }),
  'passkey.removed': Type.Object({ passkey_id: text }),
  'identity.added': Type.Object({ issuer: text }),
  'identity.removed': Type.Object({ issuer: text }),
  'api_key.added': Type.Object({ api_key_id: text }),
  'api_key.removed': Type.Object({ api_key_id: text }),
  'service.created': nothing,
  'service.deleted': nothing,
  'session.created': Type.Object({ methods: texts }),
  'session.ended': nothing,
  'session.refused': Type.Object({ action: text, count: Type.Integer() }),
  'session.tokens_reused': nothing,
  'mail.given_up': Type.Object({ kind: text }),
}
type Described = { [Name in keyof typeof data]: SchemaOf<EventData[Name], (typeof data)[Name]> }
export const eventData = data satisfies Described &
  Record<Exclude<keyof EventData, keyof FeatureEvents>, TUnsafe<unknown> | object>

const id = textOrNull
const actor = named(
  'EventActor',
  Type.Union(
    [
      Type.Object({ kind: Type.Literal('request'), id, device: textOrNull, network: textOrNull }),
      Type.Object({ kind: Type.Literal('host'), id, reason: textOrNull }),
      Type.Object({ kind: Type.Literal('command') }),
      Type.Object({ kind: Type.Literal('plugin') }),
    ],
    { description: 'Who caused it' },
  ),
)
const envelope = Type.Object({
  id: Type.String({ format: 'uuid', description: 'What to deduplicate by' }),
  at: Type.String({ format: 'date-time' }),
  realm: Type.String({ description: 'The name of the instance decorator' }),
  user: Type.Union(
    [
      Type.Object({
        id: text,
        version: Type.Unsafe<number | null>({
          type: ['integer', 'null'],
          description: 'Of two events of a user, the higher one is newer; `null` if the user did not change',
        }),
      }),
      Type.Null(),
    ],
    { description: 'Whom it is about; `null` if nobody' },
  ),
  actor,
})
/** What all events share. */
export const eventBody = envelope satisfies SchemaOf<
  Omit<AccountEvent<'user.deleted'>, 'type' | 'data'>,
  typeof envelope
>
