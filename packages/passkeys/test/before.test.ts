import { refusalOf } from '@fastify-accounts/test-support/app-browser'
import { create } from '@fastify-accounts/test-support/passkeys/authenticator'
import { origin, passkeyApp, visitor } from '@fastify-accounts/test-support/passkeys/service'
import { RuleError, type SignUpAttempt } from 'fastify-accounts'
import { expect, it } from 'vitest'

const fields = {
  type: 'object',
  properties: { invitation: { type: 'string' } },
  required: ['invitation'],
} as const

it('before.signUp is asked at the second step, before the passkey is used up', async () => {
  const asked: SignUpAttempt[] = []
  let refuses = true
  const service = await passkeyApp({
    signUp: { fields },
    before: {
      signUp(attempt) {
        asked.push(attempt)
        if (refuses) throw new RuleError('SHOP_INVITATION', { message: 'You need an invitation.' })
        return { roles: ['editor'] }
      },
    },
  })
  const browser = visitor(service)
  const account = { username: 'ada', invitation: 'abc' }
  const options = await browser.send('POST', '/signup/passkey/options/', account)
  expect([options.statusCode, asked]).toEqual([200, []])
  const { response } = create(options.json(), origin)
  const finish = () => browser.send('POST', '/signup/passkey/', { ...account, response })
  expect(refusalOf(await finish())).toEqual([403, 'SHOP_INVITATION'])
  expect(await service.users.findByUsername('ada')).toBeNull()
  refuses = false
  expect((await finish()).statusCode).toBe(201)
  const attempt = { method: 'passkey', username: 'ada', transient: { invitation: 'abc' }, handsOver: false }
  expect(asked).toMatchObject([attempt, attempt])
  expect(await service.users.findByUsername('ada')).toMatchObject({ roles: ['editor'] })
  expect(await browser.who()).toBe('ada')
})

it('both steps take the fields of signUp.fields', async () => {
  const service = await passkeyApp({ signUp: { fields } })
  const response = await visitor(service).send('POST', '/signup/passkey/options/', { username: 'ada' })
  expect(response.json().fields).toMatchObject([{ field: 'invitation', code: 'required' }])
})

it('before.logIn decides about a login with a passkey', async () => {
  let refuses = false
  const asked: (readonly string[])[] = []
  const service = await passkeyApp({
    before: {
      logIn({ methods }) {
        asked.push(methods)
        if (refuses) throw new RuleError('SHOP_CLOSED', { message: 'We open on Monday.' })
      },
    },
  })
  const browser = visitor(service)
  const { passkey } = await browser.signUp('ada')
  refuses = true
  const elsewhere = visitor(service)
  expect(refusalOf(await elsewhere.use(passkey))).toEqual([403, 'SHOP_CLOSED'])
  expect([await elsewhere.who(), asked]).toEqual([
    null,
    [
      ['pop', 'user', 'mfa'],
      ['pop', 'user', 'mfa'],
    ],
  ])
})
