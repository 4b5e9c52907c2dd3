import { type TestApp, testApp } from '@fastify-accounts/test-support/app'
import { expect, it } from 'vitest'

// The contents of the events are tested in test/catalogue/logging.test.ts.

it('is logged with auditLog, and not without', async () => {
  for (const auditLog of [true, false]) {
    const lines: string[] = []
    const logger = { level: 'info', stream: { write: (line: string) => void lines.push(line) } }
    const service: TestApp = await testApp({ auditLog }, { server: { logger } })
    await service.send('GET', '/me/')
    await service.settle()
    const found = lines.map((line) => JSON.parse(line)).filter((line) => line.audit)
    expect(found.map(({ level, audit }) => [level, audit.action, audit.outcome, audit.reason])).toEqual(
      auditLog ? [[30, 'me', 'refused', 'ACCOUNTS_LOGIN_REQUIRED']] : [],
    )
  }
})

it('survives a listener that throws', async () => {
  const service = await testApp()
  service.app.accounts.events.on('audit', () => {
    throw new Error('a listener of the host')
  })
  for (let n = 0; n < 2; n += 1) expect((await service.send('GET', '/api-root/')).statusCode).toBe(200)
  await service.settle()
})
