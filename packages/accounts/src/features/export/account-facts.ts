import { removalNoteOf } from '../../emails/removal-note.js'
import { propertiesOf } from '../../http/input/field-schemas.js'
import { acceptedInvitationsOf, isConfirmedElsewhere, plainProofOf } from '../../notes.js'
import type { ResolvedOptions } from '../../options/resolve.js'
import { type JsonValue, ownUser, type StoredUser, type UserFields } from '../../user.js'

/** What the core keeps of a person: test/export says why each column that is missing here is. */
export function accountFacts(
  user: StoredUser,
  { fields }: Pick<ResolvedOptions, 'fields'>,
): { [name: string]: JsonValue } {
  const { origin, emailChangedAt } = user
  return {
    ...ownUser({ ...user, fields: {} }),
    fields: declaredOf(user, Object.keys(propertiesOf(fields))),
    origin,
    email_changed_at: emailChangedAt?.toISOString() ?? null,
    email_confirmed_by_link_at: plainProofOf(user)?.since ?? null,
    email_confirmed_elsewhere: isConfirmedElsewhere(user),
    accepted_invitations: Object.entries(acceptedInvitationsOf(user)).map(
      ([id, { at, until, roles, fields }]) => ({ id, accepted_at: at, noted_until: until, roles, fields }),
    ),
    last_secured: securedOf(user),
  }
}

/** The other fields are the app's own, which users never see. */
function declaredOf({ fields }: StoredUser, names: readonly string[]): UserFields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)))
}

/** What the account lost when it was secured last; `null` if nothing. */
function securedOf(user: StoredUser): JsonValue {
  const note = removalNoteOf(user)
  if (note === null) return null
  const { at, epoch: _, ...removed } = note
  return { at, removed: { ...removed } }
}
