import {
  browser,
  goodPassword,
  linkPath,
  otherPassword,
  type TestApp,
  testApp,
} from '@fastify-accounts/test-support/app'
import { expect, test } from 'vitest'
import { invitations } from '../src/index.js'

const email = 'gus@example.org'

async function invited(): Promise<{
  service: TestApp
  send: (fields: object) => Promise<{ statusCode: number; body: string }>
}> {
  const service = await testApp({ users: {}, features: [invitations()], requireEmailConfirmation: true })
  await service.app.accounts.createUser({ username: 'taken', password: goodPassword })
  await service.app.accounts.invite({ email })
  const path = linkPath(await service.mail('invitation', email))
  const headers = { ...browser, 'content-type': 'application/x-www-form-urlencoded' }
  const send = (fields: object) =>
    service.app.inject({
      method: 'POST',
      url: path,
      headers,
      payload: String(new URLSearchParams(fields as Record<string, string>)),
    })
  return { service, send }
}

const passwords = { new_password: otherPassword, confirm_password: otherPassword }

test.each([
  ['a short password', { new_password: 'short', confirm_password: 'short' }, 'new_password'],
  ['two that differ', { ...passwords, confirm_password: goodPassword }, 'confirm_password'],
  ['no password', { new_password: '', confirm_password: '' }, 'new_password'],
  ['a taken name', { ...passwords, username: 'taken' }, 'username'],
  ['an invalid name', { ...passwords, username: 'two words' }, 'username'],
])(
  'the page of an invitation shows what is wrong with %s at its field, and keeps the name',
  async (_what, wrong, field) => {
    const { service, send } = await invited()
    const fields = { username: 'gus', ...wrong }
    const { statusCode, body } = await send(fields)
    expect([400, 409]).toContain(statusCode)
    expect(body).toContain(
      `name="username" type="text" autocomplete="username" maxlength="150" required value="${fields.username}"`,
    )
    expect(body).toContain(`id="${field}-fault"`)
    expect(body).not.toContain('role="alert"')
    expect((await send({ username: 'gus', ...passwords })).body).toContain('Your account is ready')
    expect(await service.users.findByUsername('gus')).toMatchObject({ isVerified: true })
  },
)
