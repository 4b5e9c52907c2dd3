import type { PendingMail, PendingMessage } from 'fastify-accounts'

/** A waiting email for your own tests, with the given changes. */
export function newPendingMail(changes: Partial<PendingMail> = {}): PendingMail {
  return {
    realm: 'accounts',
    kind: 'password-changed',
    userId: 'ada',
    emailKey: null,
    to: 'ada@example.org',
    language: 'en',
    state: null,
    variant: null,
    at: '2026-01-31T12:00:00.000Z',
    by: 'request',
    device: null,
    label: null,
    isProven: true,
    heldUntil: null,
    codeSeed: null,
    isFromOwnBrowser: false,
    ...changes,
  }
}

/** A message that is no email. */
export interface TestMessage extends PendingMessage {
  type: string
  /** Tells it from others. */
  name: string
  data: { readonly [key: string]: unknown }
}

/** A message that is no email, with the given changes. */
export function newMessage(changes: Partial<TestMessage> = {}): TestMessage {
  return {
    realm: 'accounts',
    userId: 'ada',
    type: 'user.created',
    name: '',
    data: { actor: null, tags: ['a', { userId: 'nobody' }], version: 1 },
    ...changes,
  }
}
