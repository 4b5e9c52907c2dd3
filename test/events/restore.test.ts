import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '@fastify-accounts/kysely'
import { makeProject, runCli } from '@fastify-accounts/test-support/cli'
import { connect, restoreSqlite } from '@fastify-accounts/test-support/databases'
import { newUser } from '@fastify-accounts/testing'
import { expect, onTestFinished, test } from 'vitest'
import { changes } from './changes.js'
import { openStores, readLedger, startService, writesLedger } from './service.js'

test('what waited in a restored backup is delivered again with the same ids, and nothing else is lost', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'accounts-restore-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const [file, backup, ledger] = ['accounts.db', 'backup.db', 'ledger'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  const place = { driver: 'libsql', url: file } as const
  const db = await connect(place)
  await migrate(db)
  await db.destroy()
  await writeFile(ledger, '')
  const stores = await openStores(place)
  const idOf = async (username: string) => (await stores.users.create(newUser({ username }))).id
  const isIdle = () => expect.poll(() => stores.users.outbox?.count()).toEqual({ waiting: 0, dead: 0 })
  const subscribed = () => startService(stores, 'accounts', { ledger: writesLedger(ledger, 'ledger') })
  const [before, during, after] = [await idOf('ada'), await idOf('bob'), await idOf('cyd')]

  const first = await subscribed()
  await changes.update.make(first, before, 'red')
  await isIdle()
  await first.app.close()
  const writer = await startService(stores, 'accounts', {}, { events: true })
  await changes.update.make(writer, during, 'blue')
  await changes.delete.make(writer, before)
  await writer.app.close()
  expect((await stores.users.outbox?.count())?.waiting).toBe(2)

  const backupAt = new Date().toISOString()
  await restoreSqlite(file, backup)
  const second = await subscribed()
  await isIdle()
  await changes.update.make(second, after, 'green')
  await isIdle()
  await second.app.close()
  const delivered = readLedger(ledger)
  expect(delivered.map(({ userId }) => userId).toSorted()).toEqual([before, before, during, after].toSorted())
  await stores.close()

  const project = makeProject()
  const ended = await runCli(project, ['after-restore', '--since', backupAt, '--yes'], {
    env: { DATABASE_URL: `file:${backup}` },
  })
  expect(ended.stderr).toBe('')
  const restored = await openStores({ driver: 'libsql', url: backup })
  onTestFinished(() => restored.close())
  expect((await restored.users.outbox?.count('accounts:events'))?.waiting).toBe(2)
  const third = await startService(restored, 'accounts', { ledger: writesLedger(ledger, 'ledger') })
  await expect.poll(() => restored.users.outbox?.count()).toEqual({ waiting: 0, dead: 0 })
  await third.app.close()
  const again = readLedger(ledger).slice(delivered.length)
  const idsOf = (lines: typeof again) => lines.map(({ id }) => id).toSorted()
  expect(idsOf(again)).toEqual(
    idsOf(delivered.filter(({ userId, type }) => userId === during || type === 'user.deleted')),
  )
})
