import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Block, blocksOf } from '@fastify-accounts/test-support/blocks'
import { expect, it, onTestFinished } from 'vitest'
import { makeProject, type RunningApp, remove, shell as runInShell, start } from './project.js'

const page = 'docs/start.md'

/** The sample on the page that contains these words. */
function sample(words: string): Block {
  const found = blocksOf(page).filter(({ code }) => code.includes(words))
  if (found.length !== 1) throw new Error(`${found.length} samples on ${page} contain "${words}"`)
  return found[0] as Block
}

it('docs/start.md leads step by step to a user in a database who can log in, and to real mail', async () => {
  const folder = makeProject()
  onTestFinished(() => remove(folder))
  let app: RunningApp | undefined
  onTestFinished(() => app?.stop())

  const shell = (commands: string, input = '') => runInShell(folder, commands, { port: app?.port, input })

  async function restart(): Promise<RunningApp> {
    await app?.stop()
    app = await start(folder, 'app.js', { SECRET: secret, SMTP_URL: 'smtp://127.0.0.1:9' })
    return app
  }

  // 2 and 3: the app, with the secret that the page generates.
  writeFileSync(join(folder, 'app.js'), sample("app.get('/hello'").code)
  const [makeSecret = '', run] = sample('fastify-accounts secret').code.trim().split('\n')
  expect(run).toBe('node --env-file=.env app.js')
  await shell(makeSecret)
  const [, secret = ''] = /^SECRET=(.+)$/m.exec(readFileSync(join(folder, '.env'), 'utf8')) ?? []
  expect(Buffer.from(secret, 'base64url')).toHaveLength(32)
  const first = await restart()

  // 4: sign up, log in, send a request, reset the password.
  const steps = sample('/signup/').code
  expect(await shell(steps)).toMatch(/\{"hello":"ada"\}$/)
  expect(await shell('curl http://localhost:3000/hello')).toContain('ACCOUNTS_LOGIN_REQUIRED')
  await shell(sample('/forgot/').code)
  await expect.poll(first.output).toMatch(/http:\/\/localhost:3000\/reset\//)
  const [, path = ''] = /http:\/\/localhost:3000(\/reset\/[\w./~-]+)/.exec(first.output()) ?? []
  expect(await shell(`curl -H 'Accept: text/html' http://localhost:3000${path}`)).toContain(
    'name="new_password"',
  )

  // 5: the same users after a restart, and the first staff member.
  const file = join(folder, 'app.js')
  const [head = '', rest = ''] = readFileSync(file, 'utf8').split('await app.register(accounts, {')
  const after = rest.slice(rest.indexOf('})') + 2)
  writeFileSync(file, `${head}${sample('createKyselyUserStore').code}${after}`)
  await restart()
  expect(await shell(steps)).toMatch(/\{"hello":"ada"\}$/)
  await restart()
  expect(await shell(steps.split('\n').slice(1).join('\n'))).toMatch(/\{"hello":"ada"\}$/)
  await shell(sample('create-user').code, 'a password only she knows\n')
  const logIn = `curl -d username=grace -d 'password=a password only she knows' http://localhost:3000/login/`
  expect(JSON.parse(await shell(logIn))).toMatchObject({ is_staff: true, is_verified: true })

  // 6: mail goes through the mailer, which has no server to deliver to here.
  const source = readFileSync(file, 'utf8')
  const [imports = '', ...lines] = sample('createNodemailerMailer').code.split('\n\n')
  const withMailer = source.replace(
    'await app.register(accounts, {',
    `${lines.join('\n\n')}\nawait app.register(accounts, {\n  mailer,`,
  )
  writeFileSync(file, `${imports}\n${withMailer}`)
  const last = await restart()
  await shell(sample('/forgot/').code)
  const waiting = `node -p "JSON.stringify(new (require('libsql'))('accounts.db').prepare('select * from accounts_outbox').all())"`
  await expect.poll(() => shell(waiting)).toMatch(/ECONNREFUSED|ESOCKET/)
  expect(await shell('DATABASE_URL=file:accounts.db npx fastify-accounts outbox')).toContain('waiting: 1')
  expect(last.output()).toContain('an email could not be sent and will be retried')
  expect(last.output()).not.toContain('/reset/')
})
