import { createKyselyUserStore, type Engine, migrate } from '@fastify-accounts/kysely'
import { adopt as adoptOn, urlOf } from '@fastify-accounts/test-support/adopt'
import { makeProject, runCli } from '@fastify-accounts/test-support/cli'
import { connect, driversHere, makeDatabase, runSql } from '@fastify-accounts/test-support/databases'
import { read } from '@fastify-accounts/test-support/source'
import { expect, onTestFinished, test } from 'vitest'

/** The line of docs/guides/existing-table.md. */
const line = /```json\n(.*)\n```/.exec(read('docs/guides/existing-table.md'))?.[1] ?? ''
const ada = JSON.parse(line)

const types: Record<Engine, { id: string; time: string; created: string }> = {
  postgres: { id: 'uuid', time: 'timestamptz(3)', created: ada.createdAt },
  mysql: { id: 'char(36)', time: 'datetime(3)', created: '2024-05-01 10:00:00.123' },
  sqlite: { id: 'text', time: 'text', created: ada.createdAt },
}

test.each(await driversHere(['pg', 'mysql2', 'libsql']))(
  'identities of an adopted table are imported for its users: $title',
  async ({ name, engine }) => {
    const { place, drop } = await makeDatabase(name)
    onTestFinished(drop)
    const { id, time, created } = types[engine]
    await runSql(
      place,
      `create table customers (id ${id} primary key, email varchar(1024), password varchar(1024), created_at ${time})`,
      `insert into customers (id, email, created_at) values ('${ada.id}', '${ada.email}', '${created}')`,
    )
    const choices = ['--column', 'password_hash=password']
    const { data, code } = await adoptOn(place, ...choices, '--json')
    expect(code).toBe(0)
    await runSql(place, ...data.statements, 'update customers set is_verified = 1')
    expect(await adoptOn(place, ...choices, '--fill')).toMatchObject({ code: 0 })
    const db = await connect(place)
    onTestFinished(() => db.destroy())
    await migrate(db, data.naming)
    const userStore = createKyselyUserStore({ db, ...data.naming })
    const before = await userStore.findById(ada.id)

    const folder = makeProject({
      'identities.jsonl': `${line}\n`,
      'accounts.config.mjs': `
        import { createKyselyUserStore, openDatabase } from '@fastify-accounts/kysely'
        import { createRequire } from 'node:module'
        const db = openDatabase(process.env.DATABASE_URL, createRequire(import.meta.url))
        export const options = {
          userStore: createKyselyUserStore({ db, ...${JSON.stringify(data.naming)} }),
          users: { names: 'none' },
        }
        export const close = () => db.destroy()`,
    })
    const importing = () =>
      runCli(folder, ['import', 'identities.jsonl', '--keep-ids', '--update', '--json'], {
        env: { DATABASE_URL: urlOf(place) },
      })
    const imported = await importing()
    expect(JSON.parse(imported.stdout)).toMatchObject({ updated: 1, created: 0, rejected: 0 })
    const key = 'oidc:https://accounts.google.com|110169484474386276334'
    expect(await userStore.findByIdentity?.(key)).toEqual({
      ...before,
      identityKeys: [key],
      version: (before?.version ?? 0) + 1,
    })
    expect(JSON.parse((await importing()).stdout)).toMatchObject({ updated: 0, existing: 1 })
  },
)
