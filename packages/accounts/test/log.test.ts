import { expect, test } from 'vitest'
import { goodPassword, linkPath, logIn, otherPassword, signUp, testApp } from './support/app.js'

test('LGG-01 at level trace no password, token, cookie or hash is in the log', async () => {
  const lines: string[] = []
  const logger = { level: 'trace', stream: { write: (line: string) => void lines.push(line) } }
  const service = await testApp({ users: true, requireEmailConfirmation: true }, { server: { logger } })
  await signUp(service, 'alice', { email: 'alice@example.org' })
  const verify = linkPath(await service.mail('verify-email'))
  await service.send('GET', verify)
  const cookie = await logIn(service)
  await service.send('POST', '/login/', { username: 'alice', password: otherPassword })
  await service.send('GET', `/login/?password=${encodeURIComponent(goodPassword)}`)
  await service.send('POST', '/forgot/', { email: 'alice@example.org' })
  const reset = linkPath(await service.mail('reset-password'))
  await service.send('GET', reset)
  await service.send('POST', reset, { new_password: otherPassword, confirm_password: 'other' })
  const update = service.users.update
  service.users.update = () => Promise.reject(new Error('away'))
  await service.send('POST', reset, { new_password: otherPassword, confirm_password: otherPassword })
  service.users.update = update
  await service.app.inject({ method: 'POST', url: '/logout/', headers: { cookie } })

  const log = lines.join('')
  expect(log).toContain('"url":"/reset/:uid64/:token/"')
  expect(log).toContain('ACCOUNTS_INVALID_CREDENTIALS')
  const user = await service.users.findByUsername('alice')
  const secrets = [
    goodPassword,
    otherPassword,
    encodeURIComponent(goodPassword),
    cookie.slice('session='.length),
  ]
  for (const link of [verify, reset]) secrets.push(link.split('/').at(-2) ?? '')
  secrets.push(user?.passwordHash ?? '', decodeURIComponent(cookie).slice('session='.length, -44))
  for (const each of secrets) {
    expect(each.length).toBeGreaterThan(10)
    expect(log.includes(each)).toBe(false)
  }
  const refusals = lines
    .map((line) => JSON.parse(line))
    .filter((line) => line.code?.startsWith?.('ACCOUNTS_'))
  expect(refusals.length).toBeGreaterThan(0)
  for (const refusal of refusals) expect(refusal.level).toBeLessThan(50)
})
