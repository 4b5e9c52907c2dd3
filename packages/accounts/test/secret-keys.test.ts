import { createDecipheriv, createHmac, hkdfSync } from 'node:crypto'
import { goodPassword, secret, signUp, testApp } from '@fastify-accounts/test-support/app'
import { expect, test } from 'vitest'

// With other keys, an update of the plugin would log everyone out.
test('session, device and cursor each have their own key, derived from the secret with HKDF-SHA-256', async () => {
  const service = await testApp()
  const alice = await signUp(service)
  await signUp(service, 'bob')
  const keyOf = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', secret, '', `fastify-accounts/${purpose}`, 32))
  const sign = (purpose: string, ...parts: (string | Buffer)[]): Buffer => {
    const hmac = createHmac('sha256', keyOf(purpose))
    for (const part of parts) hmac.update(part)
    return hmac.digest()
  }

  const login = await service.send('POST', '/login/', { username: 'alice', password: goodPassword })
  const cookieValue = (name: string) => login.cookies.find((each) => each.name === name)?.value ?? ''
  const [, claim = '', signature = ''] = /^(.*)\.(.*)$/.exec(cookieValue('session')) ?? []
  expect(Buffer.from(signature, 'base64')).toEqual(sign('session-cookie:session', claim))

  const device = Buffer.from(cookieValue('session-device'), 'base64url')
  const random = device.subarray(0, 16)
  expect(device.subarray(16)).toEqual(sign('device-cookie:session-device', random, `0:${alice.id}`))

  const headers = { cookie: `session=${encodeURIComponent(cookieValue('session'))}` }
  const { next } = (await service.app.inject({ url: '/user/?limit=1', headers })).json()
  const cursor = Buffer.from(new URL(next).searchParams.get('cursor') ?? '', 'base64url')
  const opener = createDecipheriv('aes-256-gcm', keyOf('list-cursor'), cursor.subarray(0, 12))
  opener.setAuthTag(cursor.subarray(12, 28))
  const position = opener.update(cursor.subarray(28)).toString() + opener.final().toString()
  expect(JSON.parse(position)).toEqual([alice.createdAt.getTime(), alice.id, 'alice'])
})
