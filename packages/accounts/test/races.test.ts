import { expect, test } from 'vitest'
import { goodPassword, linkPath, logIn, otherPassword, signUp, testApp } from './support/app.js'

const email = 'alice@example.org'
const form = { new_password: otherPassword, confirm_password: otherPassword }

test('a user whom others change all the time: 409, safe to try again', async () => {
  const service = await testApp()
  await signUp(service, 'alice', { email })
  await service.send('POST', '/forgot/', { email })
  const link = linkPath(await service.mail('reset-password'))
  const update = service.users.update
  service.users.update = async () => null
  const answer = await service.send('POST', link, form)
  expect(answer.json()).toMatchObject({ statusCode: 409, code: 'ACCOUNTS_CONFLICT' })
  service.users.update = update
  expect((await service.send('POST', link, form)).statusCode).toBe(204)
})

test('a change that has nothing to do with the link does not stand in its way', async () => {
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

test('DEL-04 of two deletions one succeeds; a reset or a login that races one leaves nothing behind', async () => {
  const service = await testApp()
  const user = await signUp(service, 'alice', { email })
  await service.send('POST', '/forgot/', { email })
  const link = linkPath(await service.mail('reset-password'))
  const cookie = await logIn(service)
  const remove = () => service.app.inject({ method: 'DELETE', url: `/user/${user.id}`, headers: { cookie } })
  const [first, second, reset, login] = await Promise.all([
    remove(),
    remove(),
    service.send('POST', link, form),
    service.send('POST', '/login/', { username: 'alice', password: goodPassword }),
  ])
  expect([first.statusCode, second.statusCode].filter((status) => status === 204)).toHaveLength(1)
  expect([401, 404]).toContain([first.statusCode, second.statusCode].find((status) => status !== 204))
  expect([204, 400]).toContain(reset.statusCode)
  expect([200, 401]).toContain(login.statusCode)
  expect(await service.users.list({ limit: 1 })).toEqual([])
  for (const row of service.sessions.rows.values()) {
    expect(row.userId).toBe(user.id)
  }
  expect(
    (await service.send('POST', '/login/', { username: 'alice', password: otherPassword })).statusCode,
  ).toBe(401)
})

test('a deletion in the store between look-up and delete is 404', async () => {
  const service = await testApp()
  const user = await signUp(service)
  const cookie = await logIn(service)
  service.users.delete = async () => false
  const answer = await service.app.inject({ method: 'DELETE', url: `/user/${user.id}`, headers: { cookie } })
  expect(answer.json().code).toBe('ACCOUNTS_NOT_FOUND')
})
