import { logInAs, mountAccounts } from '@fastify-accounts/testing'
import Fastify from 'fastify'

// Jest removes what an app has made as soon as its file ends, so nothing may run after `close`.
test('an app that is closed has sent its emails, and does nothing else', async () => {
  const app = Fastify()
  const { mailbox } = await mountAccounts(app)
  await logInAs(app, { username: 'ada', email: 'ada@example.org' })
  await logInAs(app, 'ada')
  await app.close()
  expect(mailbox.mails.map(({ kind }) => kind)).toEqual(['new-device'])
})
