import { createHmac } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { blocksOf } from '@fastify-accounts/test-support/blocks'
import { expect, it, onTestFinished } from 'vitest'
import { makeProject, remove, shell, start } from './project.js'

it('docs/tokens.md leads an app from its login to the end of its session', async () => {
  const folder = makeProject()
  onTestFinished(() => remove(folder))
  const blocks = blocksOf('docs/tokens.md')
  writeFileSync(join(folder, 'app.js'), blocks.find(({ code }) => code.includes('tokens()'))?.code ?? '')
  const app = await start(folder, 'app.js')
  onTestFinished(() => app.stop())

  const commands = blocks.filter(({ language }) => language === 'sh').map(({ code }) => code)
  const mark = '=== next block'
  const output = await shell(folder, commands.join(`\necho '${mark}'\n`), { port: app.port })
  const [, sending, refreshing, confirming, state, revoking] = output.split(mark)
  expect(sending).toMatch(/^\s*\{"hello":"ada"\}\{"results":\[\{.*"name":"Phone".*"current":true/)
  expect(refreshing).toContain('{"hello":"ada"}')
  expect(confirming).toMatch(/^\s*\{"detail":/)
  expect(state).toMatch(/^\s*$/)
  expect(readFileSync(join(folder, 'headers.txt'), 'utf8')).toMatch(/^accounts-state: \S/m)
  expect(JSON.parse(readFileSync(join(folder, 'login.json'), 'utf8'))).toMatchObject({
    username: 'ada',
    tokens: {},
  })
  expect(revoking).toMatch(/^\s*\{\}\{"statusCode":401,"code":"ACCOUNTS_LOGIN_REQUIRED"/)
})

it('docs/guides/from-fastify-jwt.md exchanges a JWT for tokens', async () => {
  const folder = makeProject()
  onTestFinished(() => remove(folder))
  const [, , both, curl] = blocksOf('docs/guides/from-fastify-jwt.md')
  const source = `import Fastify from 'fastify'
import { createMemorySessionStore, createMemoryUserStore } from 'fastify-accounts'
const app = Fastify()
const [userStore, sessionStore] = [createMemoryUserStore(), createMemorySessionStore()]
${both?.code}
const { id } = await app.accounts.createUser({ email: 'ada@example.org', password: 'seven-green-lanterns' })
app.get('/id', () => id)
await app.listen({ port: 3000 })`
  writeFileSync(join(folder, 'app.js'), source)
  const JWT_SECRET = 'another secret of thirty-two bytes or more'
  const app = await start(folder, 'app.js', { JWT_SECRET, JWTS_END: '9999-01-01' })
  onTestFinished(() => app.stop())

  const sub = await shell(folder, 'curl http://localhost:3000/id', { port: app.port })
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const body = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ sub })}`
  const jwt = `${body}.${createHmac('sha256', JWT_SECRET).update(body).digest('base64url')}`
  const output = await shell(folder, `JWT=${jwt}\n${curl?.code}`, { port: app.port })
  expect(JSON.parse(output)).toMatchObject({ tokens: { token_type: 'Bearer' } })
})
