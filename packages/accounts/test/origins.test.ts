import { testApp } from '@fastify-accounts/test-support/app'
import { expect, test } from 'vitest'

test.each([
  ['null', true],
  ['file://', true],
  ['myapp://localhost', true],
  ['capacitor://localhost', false],
  ['https://evil.example', false],
])('whether the Origin %s can be listed in trustedOrigins is in the log', async (origin, isLost) => {
  const lines: string[] = []
  const logger = { level: 'info', stream: { write: (line: string) => void lines.push(line) } }
  const service = await testApp({}, { server: { logger } })
  const response = await service.send('POST', '/login/', {}, { headers: { origin } })
  expect([response.statusCode, response.json().code]).toEqual([403, 'ACCOUNTS_CROSS_SITE'])
  expect(lines.join('').includes(`trustedOrigins can't list the Origin '${origin}'`)).toBe(isLost)
})
