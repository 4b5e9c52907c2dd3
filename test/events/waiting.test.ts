import { randomUUID } from 'node:crypto'
import { migrate } from '@fastify-accounts/kysely'
import { connect, driversHere, makeDatabase, runSql } from '@fastify-accounts/test-support/databases'
import { times } from '@fastify-accounts/test-support/depth'
import { newUser } from '@fastify-accounts/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openStores, startService } from './service.js'

const count = times({ quick: 20_000, full: 1_000_000 })
const email = 'ada@example.org'

describe.each(await driversHere(['pg']))('$title', ({ name }) => {
  test('a reset email leaves while many events are being delivered, and check() responds in time', async () => {
    const { place, drop } = await makeDatabase(name)
    const db = await connect(place)
    await migrate(db)
    await db.destroy()
    const stores = await openStores(place)
    onTestFinished(async () => {
      await stores.close()
      await drop()
    })
    await stores.users.create(newUser({ username: 'ada', email, emailKey: email, isVerified: true }))
    const realm = 'accounts:to:crm'
    const event = {
      ...{ id: randomUUID(), type: 'user.updated', at: new Date().toISOString(), realm: 'accounts' },
      ...{ user: null, actor: { kind: 'command' }, data: { fields: ['team'] } },
    }
    const message = JSON.stringify({ realm, userId: null, to: null, events: [event] })
    await runSql(
      place,
      'set statement_timeout = 0',
      `insert into accounts_outbox (id, realm, mail, posted_at, due_at, attempts)
        select gen_random_uuid()::text, '${realm}', '${message}', 1, 1, 0 from generate_series(1, ${count})`,
      'analyze accounts_outbox',
    )

    let delivered = 0
    let onMail = (_delivered: number): void => {}
    const mailed = new Promise<number>((resolve) => {
      onMail = resolve
    })
    const deliver = (): void => {
      delivered += 1
    }
    const { app, accounts } = await startService(
      stores,
      'accounts',
      { crm: { '*': deliver } },
      { mailer: { send: async () => onMail(delivered) } },
    )
    await expect.poll(() => delivered).toBeGreaterThan(0)
    expect(await accounts.check()).toMatchObject({ ok: true })
    await app.inject({ method: 'POST', url: '/forgot/', payload: { email } })
    const before = await mailed
    await app.close()
    console.info(`the email left after ${before} of ${count} events`)
    expect(before).toBeLessThan(count)
  })
})
