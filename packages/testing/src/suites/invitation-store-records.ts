import type { Invitation, InvitationChanges, InvitationStore, JsonValue } from 'fastify-accounts'
import { inTurns, type Laws } from './cases.js'
import { hostileTexts, range, same, show, worldlyTexts } from './checks.js'
import { idsOf, invite, newInvitation } from './invitations.js'

/** Laws about one invitation: it comes back as stored, with nothing added. */
export const invitationStoreRecordLaws: Laws<InvitationStore> = {
  'law 1: an invitation comes back as it was created, with the version 1': async (store) => {
    await comesBack(store, {})
    await comesBack(store, {
      target: 'organizations',
      inviterId: 'user-é-😀',
      email: 'Ada.É-😀@Example.org',
      emailKey: 'ada.é-😀@example.org',
      createdAt: new Date('2026-03-29T01:30:00.123Z'),
      expiresAt: new Date('2099-12-31T23:59:59.999Z'),
      sends: 2_000_000_000,
      acceptingUntil: new Date('2026-10-25T01:30:00.999Z'),
    })
    await comesBack(store, { inviterId: null, expiresAt: new Date(1) })
    for (const email of [...worldlyTexts, ...hostileTexts]) await comesBack(store, { email, emailKey: email })
  },

  'law 1: what an invitation gives comes back unchanged, whatever JSON it is': async (store) => {
    for (const gives of manyGives) {
      await comesBack(store, { gives })
      const { id, version } = await invite(store, { gives: 'before' })
      same((await store.update(id, { gives }, version))?.gives, gives, `update() of gives to ${show(gives)}`)
      same((await store.find(id))?.gives, gives, `gives after update() to ${show(gives)}`)
    }
  },

  'law 2: changing an argument or a result doesn’t change the store': async (store) => {
    const invitation = newInvitation({ acceptingUntil: new Date() })
    const expected = { ...structuredClone(invitation), version: 1 }
    await store.create(invitation)
    spoil(invitation)
    same(await store.find(expected.id), expected, 'after changing what was handed in')
    const listed = async () => (await store.list({ limit: 9 }))[0]
    const listedByEmail = async () => (await store.listByEmail(expected.emailKey))[0]
    for (const [what, read] of [
      ['find()', () => store.find(expected.id)],
      ['list()', listed],
      ['listByEmail()', listedByEmail],
    ] as const) {
      spoil(await read())
      same(await store.find(expected.id), expected, `after changing what ${what} returned`)
    }
    const changes = { ...newInvitation(), acceptingUntil: new Date() }
    const { email, gives, expiresAt, sends, acceptingUntil } = structuredClone(changes)
    const changed = { ...expected, ...{ email, gives, expiresAt, sends, acceptingUntil }, version: 2 }
    const returned = await store.update(expected.id, changes, 1)
    spoil(changes)
    same(await store.find(expected.id), changed, 'after changing what update() was given')
    spoil(returned)
    same(await store.find(expected.id), changed, 'after changing what update() returned')
  },

  'law 3: a missing invitation is null, false, empty or 0, not an error': async (store) => {
    await store.create(newInvitation())
    for (const id of ['nobody', 'x'.repeat(10_000), ...hostileTexts]) {
      same(await store.find(id), null, `find(${show(id)})`)
      same(await store.update(id, { sends: 2 }, 1), null, `update(${show(id)})`)
      same(await store.delete(id), false, `delete(${show(id)})`)
      same(await store.delete(id, 1), false, `delete(${show(id)}) at a version`)
      same(await store.listByEmail(id), [], `listByEmail(${show(id)})`)
      same(await store.list({ target: id, limit: 9 }), [], `list() of the target ${show(id)}`)
      same(await store.list({ inviterId: id, limit: 9 }), [], `list() of the inviter ${show(id)}`)
    }
    same(await store.deleteExpired(new Date()), 0, 'deleteExpired()')
  },

  'law 4: a read sees every acknowledged write': async (store, second) => {
    const turn = inTurns(store, second)
    for (const round of range(20)) {
      const [writer, reader] = [turn(round), turn(round + 1)]
      const invitation = await invite(writer)
      const { id, emailKey } = invitation
      const all: [string, () => Promise<Invitation | null | undefined>][] = [
        ['find()', () => reader.find(id)],
        ['listByEmail()', async () => (await reader.listByEmail(emailKey))[0]],
        ['list()', async () => (await reader.list({ limit: 9 }))[0]],
      ]
      for (const [what, read] of all) same(await read(), invitation, `${what} after create()`)
      const updated = await writer.update(id, { sends: 2 }, 1)
      for (const [what, read] of all) same(await read(), updated, `${what} after update()`)
      await writer.delete(id)
      for (const [what, read] of all) same((await read()) ?? null, null, `${what} after delete()`)
    }
  },

  'law 5: expired invitations are found and change like others, until deleteExpired removes them': async (
    store,
  ) => {
    const past = new Date(Date.now() - 60_000)
    const expired = await invite(store, { expiresAt: past })
    const { id, emailKey } = expired
    same(await store.find(id), expired, 'find()')
    same(await store.listByEmail(emailKey), [expired], 'listByEmail()')
    same(await store.list({ limit: 9 }), [expired], 'list()')
    same(await store.create(newInvitation({ emailKey })), false, 'create() of another for the address')
    const changed = { ...expired, sends: 2, version: 2 }
    same(await store.update(id, { sends: 2 }, 1), changed, 'update()')

    const live = [await invite(store), await invite(store, { acceptingUntil: past })]
    for (const _ of range(24)) await invite(store, { expiresAt: past })
    same(await store.deleteExpired(new Date(Number(past) - 60_000)), 0, 'deleteExpired() before they expired')
    same(await store.deleteExpired(new Date()), 25, 'deleteExpired()')
    same(await store.deleteExpired(new Date()), 0, 'a second deleteExpired()')
    same(await store.find(id), null, 'find() of one that was removed')
    same(await store.listByEmail(emailKey), [], 'listByEmail() of one that was removed')
    const left = idsOf(await store.list({ limit: 99 }))
    same(left.toSorted(), idsOf(live).toSorted(), 'the invitations left')
    same(await store.create(newInvitation({ emailKey })), true, 'create() for the address, once more')
  },

  'law 5: deleteExpired removes more than one portion': async (store) => {
    const past = new Date(Date.now() - 60_000)
    for (const _ of range(12))
      await Promise.all(range(100).map(() => store.create(newInvitation({ expiresAt: past }))))
    const live = await invite(store)
    same(await store.deleteExpired(new Date()), 1200, 'deleteExpired()')
    same(await store.list({ limit: 9 }), [live], 'the invitations left')
  },
}

const manyGives: readonly JsonValue[] = [
  { roles: ['editor', 'zoo keeper 😀'], fields: { note: 'ÿ "\\\'', count: -1.5, nothing: null } },
  {},
  [],
  [[{ a: [] }], 1],
  null,
  true,
  false,
  0,
  '',
  'null',
  '"',
  { 'a\0b': 'a\0b', __proto: '$ne' },
  { z: 1, a: 2, long: 'x'.repeat(70_000) },
]

async function comesBack(store: InvitationStore, overrides: Partial<Invitation>): Promise<void> {
  const invitation = await invite(store, overrides)
  const { id, emailKey, version } = invitation
  same(await store.find(id), invitation, 'find()')
  same(await store.listByEmail(emailKey), [invitation], 'listByEmail()')
  const listed = (await store.list({ limit: 1000 })).find((each) => each.id === id)
  same(listed, invitation, 'the invitation in list()')
  // None of these is a change.
  const changed = { ...invitation, version: version + 1 }
  same(await store.update(id, {}, version), changed, 'update() of nothing')
  same(await store.find(id), changed, 'find() after update() of nothing')
}

/** Changes everything shared by reference. */
function spoil(record: Partial<Invitation> | InvitationChanges | null | undefined): void {
  for (const value of Object.values(record ?? {})) if (value instanceof Date) value.setTime(0)
  const gives = record?.gives as { roles?: string[] } | undefined
  gives?.roles?.push('spoiled')
  if (record) Object.assign(record, { email: 'spoiled', sends: 99 })
}
