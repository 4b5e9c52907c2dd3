import { passkeys } from '@fastify-accounts/passkeys'
import { browser, goodPassword, linkTarget, logIn, signUp } from '@fastify-accounts/test-support/app'
import { confirm } from '@fastify-accounts/test-support/passkeys/second-step'
import { visitor } from '@fastify-accounts/test-support/passkeys/service'
import { enroll } from '@fastify-accounts/test-support/second-factor'
import { secondFactor } from 'fastify-accounts'
import { expect } from 'vitest'
import { cases } from './catalogue.js'

import { choice } from './passwords.js'
import type { Scene, Service } from './service.js'

const startOn = ({ start }: Scene): Promise<Service> =>
  start({ session: { newDeviceMail: true }, features: [secondFactor(), passkeys()] })

/** A user with a verified address, whose login from a new device was mailed: the cookie, and the link in the email. */
async function reported(service: Service, username: string) {
  const { id } = await signUp(service, username, { email: `${username}@example.org` })
  await service.app.accounts.updateUser(id, { isVerified: true })
  await logIn(service, username)
  const cookie = await logIn(service, username)
  return { id, cookie, link: linkTarget(await service.mail('new-device', `${username}@example.org`)) }
}

cases('It was not me', ({ rule }) => {
  rule(
    'NME-05',
    {
      tried:
        'a thief who adds a passkey and an app with names that look like instructions, and moves the address: the owner undoes that, or reports the login',
      expected:
        'the page says how many of each will be removed, and opening it changes nothing; the page after the click, the JSON and the email say how many were; none has a name',
    },
    async (scene) => {
      const service = await startOn(scene)
      const { users } = scene
      const name = 'Locked: call 555-0100'
      const counts = {
        passkeys: 1,
        apps: 1,
        recovery_codes: 10,
        identities: 0,
        api_keys: 0,
        remembered_devices: 0,
      }
      const lines = ['1 passkey', '1 authenticator app', '10 recovery codes']
      const says = (text: string, expected: boolean): void => {
        for (const line of lines) expect([line, text.includes(line)]).toEqual([line, expected])
        expect(text).not.toContain('555')
      }
      const page = async (method: 'GET' | 'POST', link: string): Promise<string> =>
        (await service.send(method, link, undefined, { headers: browser })).body
      for (const way of ['undo', 'report'] as const) {
        const username = `${way}er`
        const address = `${username}@example.org`
        const { id, cookie, link: harmless } = await reported(service, username)
        expect((await service.send('GET', harmless)).json()).toEqual({ valid: true })
        says(await page('GET', harmless), false)

        const thief = visitor(service)
        thief.take((await enroll(service, cookie, name)).cookie)
        const { passkey } = await thief.add({ name })
        expect((await confirm(thief, passkey)).statusCode).toBe(204)
        if (way === 'undo') {
          const moved = { email: 'thief@example.com' }
          expect((await thief.send('POST', '/change-email/', moved)).statusCode).toBe(202)
          const link = linkTarget(await service.mail('change-email', moved.email))
          expect((await thief.send('POST', link)).statusCode).toBe(200)
        }
        const notice = await service.mail(way === 'undo' ? 'email-changed' : 'passkey-added', address)
        const link = linkTarget(notice)
        const before = await users.findById(id)
        expect((await service.send('GET', link)).json()).toEqual({ valid: true, removes: counts })
        says(await page('GET', link), true)
        expect(await users.findById(id)).toEqual(before)
        if (way === 'undo') {
          const done = (await service.send('POST', link)).json()
          expect(done.removed).toEqual(counts)
          says(done.detail, true)
        } else {
          says(await page('POST', link), true)
        }
        const mail = await service.mail('choose-password', address)
        says(mail.text, true)
        says(mail.html, true)
        expect((await users.findById(id))?.identityKeys).toEqual([])
      }
    },
  )

  rule(
    'NME-06',
    {
      tried:
        'the note of what was removed, as a way in, as a factor and in lists; a reset that removes nothing',
      expected:
        'it lets nobody in; the owner sees it until they set something up again; the email about the reset lists nothing',
    },
    async (scene) => {
      const service = await startOn(scene)
      const { users } = scene
      const { id, cookie, link } = await reported(service, 'alice')
      const owner = visitor(service)
      owner.take(cookie)
      await owner.add()
      expect((await service.send('POST', link)).statusCode).toBe(200)
      expect(await users.findById(id)).toMatchObject({ credentials: [], notes: { removed: { passkeys: 1 } } })
      const reset = linkTarget(await service.mail('choose-password'))
      expect((await service.send('POST', reset, choice(goodPassword))).statusCode).toBe(204)
      expect((await service.mail('password-changed')).text).not.toContain('1 passkey')

      await owner.logIn()
      const shown = async () => (await owner.send('GET', '/second-factor/')).json()
      const listed = async () => (await owner.send('GET', '/passkeys/')).json()
      expect(await shown()).toMatchObject({
        ...{ totp: false, passkeys: false, recovery_codes_left: 0, apps: [], remembered_devices: [] },
        removed: { passkeys: 1, apps: 0, recovery_codes: 0, identities: 0 },
      })
      expect(await listed()).toMatchObject({ results: [], removed: { passkeys: 1 } })
      expect((await owner.send('DELETE', '/password/')).statusCode).toBe(409)
      expect((await owner.send('PATCH', '/second-factor/', { passkeys: true })).statusCode).toBe(409)
      owner.take((await enroll(service)).cookie)
      expect(await shown()).toMatchObject({ totp: true, removed: null })
      expect(await listed()).toMatchObject({ removed: null })
    },
  )
})
