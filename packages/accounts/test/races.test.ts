import { linkPath, logIn, otherPassword, signUp, testApp } from '@fastify-accounts/test-support/app'
import { expect, test } from 'vitest'

const email = 'alice@example.org'
const form = { new_password: otherPassword, confirm_password: otherPassword }

test('updates of a constantly changing user: 409, safe to retry', async () => {
  const service = await testApp()
  await signUp(service, 'alice', { email })
  await service.send('POST', '/forgot/', { email })
  const link = linkPath(await service.mail('reset-password'))
  const update = service.users.update
  service.users.update = async () => null
  const response = await service.send('POST', link, form)
  expect(response.json()).toMatchObject({ statusCode: 409, code: 'ACCOUNTS_CONFLICT' })
  service.users.update = update
  expect((await service.send('POST', link, form)).statusCode).toBe(204)
})

test("a change unrelated to the link doesn't invalidate it", async () => {
  const service = await testApp()
  const user = await signUp(service, 'alice', { email })
  await service.send('POST', '/forgot/', { email })
  const link = linkPath(await service.mail('reset-password'))
  const hash = service.hasher.hash
  service.hasher.hash = async (password) => {
    await service.users.update(user.id, { isStaff: true }, user.version)
    return hash(password)
  }
  expect((await service.send('POST', link, form)).statusCode).toBe(204)
  expect(await service.users.findById(user.id)).toMatchObject({ isStaff: true, sessionEpoch: 1 })
})

test('a deletion in the store between lookup and delete is 404', async () => {
  const service = await testApp()
  const user = await signUp(service)
  const cookie = await logIn(service)
  const { users } = service
  const remove = users.delete
  users.delete = async (...given) => {
    await remove(given[0])
    return remove(...given)
  }
  const response = await service.app.inject({
    method: 'DELETE',
    url: `/user/${user.id}`,
    headers: { cookie },
  })
  expect(response.json().code).toBe('ACCOUNTS_NOT_FOUND')
})
