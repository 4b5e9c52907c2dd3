import {
  createClient,
  linkIn,
  mailsOf,
  newestMail,
} from '@fastify-accounts/test-support/example-server/client'
import { start } from '@fastify-accounts/test-support/example-server/server'
import { expect, it } from 'vitest'

const address = 'ada@example.org'
const first = 'seven-green-lanterns'
const second = 'eight-blue-lanterns'
const third = 'nine-red-lanterns'

it('supports the life of an account, over HTTP', async () => {
  const { url, output } = await start({
    REST_AUTH_SIGNUP_REQUIRE_EMAIL_CONFIRMATION: 'true',
    LOG_LEVEL: 'trace',
  })
  const ada = createClient(url)

  // Sign up: login fails until the address is confirmed.
  const signup = { username: 'ada', email: address, password: first, confirm_password: first }
  expect((await ada.post('/signup/', signup)).status).toBe(202)
  const early = await ada.post('/login/', { username: 'ada', password: first })
  expect(early.status).toBe(403)
  expect(await early.json()).toMatchObject({ code: 'ACCOUNTS_NOT_VERIFIED' })

  const verifyLink = linkIn(await newestMail(url, 'verify-email', address))
  expect(verifyLink).toMatch(/^\/signup\/v\/[^/]+\/[^/]+\/$/)
  const verified = await ada.get(verifyLink, { accept: 'application/json' })
  expect(await verified.json()).toEqual({ valid: true, verified: true, username: 'ada' })

  // Log in.
  const login = await ada.post('/login/', { username: 'ADA', password: first })
  expect(login.status).toBe(200)
  const me = await (await ada.get('/me/')).json()
  expect(me).toMatchObject({ username: 'ada', email: address, is_verified: true, is_staff: false })

  // Change the password: this session stays valid, the other ends.
  const otherDevice = createClient(url)
  await otherDevice.post('/login/', { username: 'ada', password: first })
  const change = { old_password: first, new_password: second, confirm_password: second }
  expect((await ada.post('/change-password/', change)).status).toBe(204)
  expect((await ada.get('/me/')).status).toBe(200)
  expect((await otherDevice.get('/me/')).status).toBe(401)
  await newestMail(url, 'password-changed', address)

  // Log out, and reset the password as a browser does.
  expect((await ada.post('/logout/')).status).toBe(204)
  expect((await ada.get('/me/')).status).toBe(401)
  expect((await ada.post('/forgot/', { email: address })).status).toBe(202)
  const resetLink = linkIn(await newestMail(url, 'reset-password', address))
  const form = await ada.get(resetLink, { accept: 'text/html' })
  expect(form.status).toBe(200)
  expect(await form.text()).toContain('name="new_password"')
  const reset = await fetch(new URL(resetLink, url), {
    method: 'POST',
    redirect: 'manual',
    headers: { accept: 'text/html', origin: url },
    body: new URLSearchParams({ new_password: third, confirm_password: third }),
  })
  expect(reset.status).toBe(303)
  expect(reset.headers.get('location')).toBe('/reset/d/')
  expect((await ada.get(resetLink)).status).toBe(400)
  expect((await ada.post('/login/', { username: 'ada', password: second })).status).toBe(401)
  expect((await ada.post('/login/', { username: 'ada', password: third })).status).toBe(200)

  // List, show and delete the user.
  const list = (await (await ada.get('/user/')).json()) as { results: unknown[]; next: null }
  const { id } = (await (await ada.get('/me/')).json()) as { id: string }
  expect(list).toEqual({ results: [{ id, username: 'ada' }], next: null })
  expect((await ada.get(`/user/${id}`)).status).toBe(200)
  // Emails are sent within two seconds, and those due at the same time in any order.
  const kinds = async () => (await mailsOf(url)).map((mail) => mail.kind).toSorted()
  const changed = ['new-device', 'password-changed', 'reset-password', 'password-changed', 'new-device']
  await expect.poll(kinds).toEqual(['verify-email', ...changed].toSorted())

  expect((await ada.delete(`/user/${id}`)).status).toBe(204)
  expect((await ada.get('/me/')).status).toBe(401)
  expect((await ada.post('/login/', { username: 'ada', password: third })).status).toBe(401)

  // A mistyped link is invalid, and its token is still secret.
  expect((await ada.get(`${resetLink}more`)).status).toBe(400)

  // The log contains no passwords and no tokens.
  const tokens = [verifyLink, resetLink].map((link) => link.split('/').at(-2) ?? '')
  // The log is written asynchronously: wait for its last line.
  expect((await ada.get('/nowhere')).status).toBe(404)
  await expect.poll(output).toContain('"statusCode":404')
  expect(output()).toContain('/reset/:uid64/:token/')
  for (const secret of [first, second, third, ...tokens]) expect(output()).not.toContain(secret)
})
