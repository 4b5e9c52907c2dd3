import type { Invitation, InvitationStore } from 'fastify-accounts'
import { scramble } from './checks.js'
import type { Calls } from './outage.js'

const hour = 3_600_000
const letters = scramble(16)
let serial = 0

/**
 * An invitation for your own tests of a store, with an id and an address that no other call returns, valid for an hour.
 *
 * @param overrides what matters to the test
 */
export function newInvitation(overrides: Partial<Invitation> = {}): Omit<Invitation, 'version'> {
  serial += 1
  const now = Date.now()
  const { version: _, ...rest } = overrides
  return {
    id: `${letters}${serial}`.padEnd(22, '_'),
    target: 'accounts',
    inviterId: 'user-1',
    email: `Ada${serial}@example.org`,
    emailKey: `ada${serial}@example.org`,
    gives: { roles: ['editor'], fields: { plan: 'free' } },
    createdAt: new Date(now),
    expiresAt: new Date(now + hour),
    sends: 1,
    acceptingUntil: null,
    ...rest,
  }
}

/** Stores an invitation, and returns it as it should be found. */
export async function invite(
  store: InvitationStore,
  overrides: Partial<Invitation> = {},
): Promise<Invitation> {
  const invitation = newInvitation(overrides)
  const version = 1
  const expected = { ...structuredClone(invitation), version }
  if (!(await store.create(invitation))) throw new Error('create() says that there is one already')
  return expected
}

/** The calls that change this invitation or add the other one, and those that read. */
export function invitationCalls(
  store: InvitationStore,
  { id, emailKey, version }: Invitation,
  fresh: Omit<Invitation, 'version'> = newInvitation(),
): { writes: Calls; reads: Calls } {
  return {
    writes: {
      'create()': () => store.create(fresh),
      'update()': () => store.update(id, { sends: 7 }, version),
      'delete()': () => store.delete(id),
    },
    reads: {
      'find()': () => store.find(id),
      'listByEmail()': () => store.listByEmail(emailKey),
      'list()': () => store.list({ limit: 10 }),
    },
  }
}

/** The ids, in their order. */
export const idsOf = (invitations: readonly Invitation[]): string[] => invitations.map(({ id }) => id)
