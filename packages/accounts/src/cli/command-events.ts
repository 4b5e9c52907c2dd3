import { commandActor } from '../events/actor.js'
import { eventsOfChange, eventsOfDeletion } from '../events/derive.js'
import type { Draft } from '../events/draft.js'
import { createInterest, type Interest } from '../events/interest.js'
import { createEventWriter } from '../events/writer.js'
import type { AccountsFeature, AccountsOptions, PendingMessage } from '../index.js'
import type { StoredUser, User, UserChanges } from '../user.js'
import { mountOf, type Project } from './project.js'

/** The events of what a command changes straight in the store, to be stored along with it. */
export interface CommandEvents {
  ofChange(before: StoredUser, changes: UserChanges): readonly PendingMessage[]
  ofDeletion(user: Pick<User, 'id' | 'kind' | 'version'>): readonly PendingMessage[]
  about(...drafts: readonly Draft[]): readonly PendingMessage[]
  /** Stores events that belong to no single change. */
  post(messages: readonly PendingMessage[]): Promise<void>
}

/** None unless the app's options say that somebody wants events, and its user store has an outbox where they can wait. */
export async function commandEvents({
  options,
  userStore,
}: Pick<Project, 'options' | 'userStore'>): Promise<CommandEvents> {
  const { outbox } = userStore
  const interest = outbox === undefined ? createInterest(false) : await interestOf(options)
  const writer = createEventWriter(mountOf(options), interest)
  return {
    ofChange: (before, changes) => writer.write(eventsOfChange(before, changes), commandActor, before.id),
    ofDeletion: (user) => writer.write(eventsOfDeletion(user), commandActor, user.id),
    about: (...drafts) => writer.write(drafts, commandActor, drafts[0]?.user?.id ?? null),
    async post(messages) {
      if (messages.length > 0) await outbox?.add(messages)
    },
  }
}

/** Those of features are only known to the service, which gets all events for them. */
async function interestOf(options: Partial<AccountsOptions>): Promise<Interest> {
  const { shippedFor } = await import('../features/shipped.js')
  const features: readonly (AccountsFeature & { subscribers?: unknown })[] = [
    ...shippedFor(options),
    ...(options.features ?? []),
  ]
  const areUnknown = options.events === true || features.some((each) => each.subscribers !== undefined)
  const interest = createInterest(areUnknown)
  if (!areUnknown)
    for (const [name, subscriber] of Object.entries(options.on ?? {})) interest.add(name, subscriber)
  return interest
}
