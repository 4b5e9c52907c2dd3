import { breaksLaws, later } from '@fastify-accounts/test-support/sabotage'
import {
  assertStorable,
  createStoreWithOutbox,
  type StoreWithOutbox,
} from '@fastify-accounts/test-support/store-with-outbox'
import type { UserStore } from 'fastify-accounts'
import { test } from 'vitest'
import { outboxCases } from '../../src/index.js'

/** Stores with one fault each in how they store messages with a change of a user, and the law that must detect it. */
const sabotages: Record<string, [law: string, fault: (store: StoreWithOutbox) => Partial<UserStore>]> = {
  'messages are stored without the user’s id': [
    'law 11: a message of a creation',
    (store) => ({
      async create(user, messages = []) {
        const created = await store.create(user)
        await store.outbox.add(messages)
        return created
      },
    }),
  ],
  'only messages about nobody get the user’s id': [
    'law 11: a message of a creation',
    (store) => ({
      async create(user, messages = []) {
        const created = await store.create(user)
        await store.outbox.add(
          messages.map((message) => ({ ...message, userId: message.userId ?? created.id })),
        )
        return created
      },
    }),
  ],
  'the given messages get the user’s id': [
    'law 11: a message of a creation',
    (store) => ({
      async create(user, messages = []) {
        const created = await store.create(user, messages)
        for (const message of messages) message.userId = created.id
        return created
      },
    }),
  ],
  'the messages of a creation are written first': [
    'law 11: a rejected creation',
    (store) => ({
      async create(user, messages = []) {
        await store.outbox.add(messages)
        return store.create(user)
      },
    }),
  ],
  'the messages of an update are stored even if the update fails': [
    'law 12: a message of an update',
    (store) => ({
      async update(id, changes, version, messages = []) {
        const changed = await store.update(id, changes, version)
        await store.outbox.add(messages)
        return changed
      },
    }),
  ],
  'the messages of an update get the user’s id': [
    'law 12: a message of an update',
    (store) => ({
      update: (id, changes, version, messages = []) =>
        store.update(
          id,
          changes,
          version,
          messages.map((message) => ({ ...message, userId: id })),
        ),
    }),
  ],
  'the messages of an update are dropped': [
    'law 12: of simultaneous updates',
    (store) => ({ update: (id, changes, version) => store.update(id, changes, version) }),
  ],
  'a user is created before the messages are stored': [
    'law 18: nobody sees a change without its message: create()',
    (store) => ({
      async create(user, messages = []) {
        assertStorable(messages)
        const created = await store.create(user)
        await later()
        await store.outbox.add(messages.map((message) => ({ ...message, userId: created.id })))
        return created
      },
    }),
  ],
  'a user is updated before the messages are stored': [
    'law 18: nobody sees a change without its message: update()',
    (store) => ({
      async update(id, changes, version, messages = []) {
        assertStorable(messages)
        const changed = await store.update(id, changes, version)
        await later()
        if (changed) await store.outbox.add(messages)
        return changed
      },
    }),
  ],
  'a user is deleted before the messages are stored': [
    'law 18: nobody sees a change without its message: delete()',
    (store) => ({
      async delete(id, messages = []) {
        assertStorable(messages)
        const isDeleted = await store.delete(id)
        await later()
        if (isDeleted) await store.outbox.add(messages)
        return isDeleted
      },
    }),
  ],
  'the messages of a deletion are dropped': [
    'law 16: a message of a deletion',
    (store) => ({ delete: (id) => store.delete(id) }),
  ],
  'the messages of a deletion are stored even if there was nobody': [
    'law 16: a message of a deletion',
    (store) => ({
      async delete(id, messages = []) {
        await store.outbox.add(messages)
        return store.delete(id)
      },
    }),
  ],
  'the messages of a deletion go with the user': [
    'law 16: a message of a deletion',
    (store) => ({
      delete: (id, messages = []) =>
        store.delete(
          id,
          messages.filter(({ userId }) => userId !== id),
        ),
    }),
  ],
  'each of several simultaneous deletions stores its messages': [
    'law 16: of simultaneous deletions',
    (store) => ({
      async delete(id, messages = []) {
        const found = await store.findById(id)
        await later()
        if (found !== null) await store.outbox.add(messages)
        return store.delete(id)
      },
    }),
  ],
  "an update whose messages can't be stored is made anyway": [
    'law 14: a message that can’t be kept leaves nothing',
    (store) => ({
      async update(id, changes, version, messages = []) {
        const changed = await store.update(id, changes, version)
        if (changed) await store.outbox.add(messages)
        return changed
      },
    }),
  ],
  "a user whose messages can't be stored is created anyway": [
    'law 14: a message that can’t be kept leaves nothing',
    (store) => ({
      async create(user, messages = []) {
        const created = await store.create(user)
        await store.outbox.add(messages.map((message) => ({ ...message, userId: created.id })))
        return created
      },
    }),
  ],
  "a user is deleted though the messages can't be stored": [
    'law 14: a message that can’t be kept leaves nothing',
    (store) => ({
      async delete(id, messages = []) {
        const isDeleted = await store.delete(id)
        if (isDeleted) await store.outbox.add(messages)
        return isDeleted
      },
    }),
  ],
}

test.each(Object.entries(sabotages))('%s: the suite detects it', async (_, [law, fault]) => {
  await breaksLaws(
    outboxCases(() => {
      const store = createStoreWithOutbox()
      return { ...store, ...fault(store) }
    }),
    law,
  )
})
