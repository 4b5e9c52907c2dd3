import type { FeatureEvents } from '../feature-names.js'
import type { EventData } from '../seams/events.js'

/** The types of events that the plugin has without features; `Feature.events` lists those of a feature. */
const all: Record<Exclude<keyof EventData, keyof FeatureEvents>, true> = {
  'user.created': true,
  'user.verified': true,
  'user.updated': true,
  'user.email_changed': true,
  'user.password_changed': true,
  'user.disabled': true,
  'user.enabled': true,
  'user.roles_changed': true,
  'user.handed_over': true,
  'user.secured': true,
  'user.deleted': true,
  'users.imported': true,
  'invitation.created': true,
  'invitation.accepted': true,
  'invitation.withdrawn': true,
  'factor.added': true,
  'factor.removed': true,
  'passkey.added': true,
  'passkey.removed': true,
  'identity.added': true,
  'identity.removed': true,
  'api_key.added': true,
  'api_key.removed': true,
  'service.created': true,
  'service.deleted': true,
  'session.created': true,
  'session.ended': true,
  'session.refused': true,
  'session.tokens_reused': true,
  'mail.given_up': true,
}

export const coreEventTypes: readonly string[] = Object.keys(all)
