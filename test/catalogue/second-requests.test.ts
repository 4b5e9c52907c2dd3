import { passkeys } from '@fastify-accounts/passkeys'
import { cheapHasher, goodPassword, otherPassword, signUp } from '@fastify-accounts/test-support/app'
import { refusalOf } from '@fastify-accounts/test-support/app-browser'
import { enquireWithPasskey } from '@fastify-accounts/test-support/passkeys/enquire'
import { visitor } from '@fastify-accounts/test-support/passkeys/service'
import { assertNoEnumeration, countHashes } from 'fastify-accounts/testing'
import { expect } from 'vitest'
import { cases } from './catalogue.js'

const passwords = { password: goodPassword, confirm_password: goodPassword }

cases('Second requests', (attempt) => {
  attempt(
    'SRQ-01',
    {
      tried:
        'account enumeration by a second request: signing up with an address, then logging in by name, by address and with a passkey, in the same browser and in another, signing up again with the same name, address and passkey, and requesting emails; with usernames and without',
      expected:
        'the same responses after the same hashes for a free address and for those of a sound account, an unverified one and a disabled one, with cookies of the same length; the owner is told',
    },
    async ({ start, users }) => {
      for (const names of ['required', 'none'] as const) {
        const hasher = countHashes(cheapHasher())
        const service = await start({
          ...{ requireEmailConfirmation: true, passwordHasher: hasher },
          users: { variant: 'both', names },
          features: [passkeys()],
        })
        const isNamed = names === 'required'
        const states = {
          sound: { isVerified: true },
          unproven: {},
          disabled: { isVerified: true, isActive: false },
        }
        const made: { email: string }[] = []
        for (const [name, changes] of Object.entries(states)) {
          const account = { email: `${name}-${names}@example.org`, ...(isNamed && { username: name }) }
          const { id } = await service.app.accounts.createUser({ ...account, password: goodPassword })
          await service.app.accounts.updateUser(id, changes)
          made.push(account)
        }
        const [account = { email: '' }, ...others] = made
        const { secondRequests } = await assertNoEnumeration(service.app, {
          ...{ account, others, hasher, alsoAsk: enquireWithPasskey(isNamed) },
          paths: { create: '/signup/', resend: '/signup/v/' },
        })
        const statusOf = (request: string) => secondRequests.find((each) => each.request === request)?.status
        expect(statusOf('log in by name')).toBe(isNamed ? 403 : undefined)
        expect(statusOf('log in by address')).toBe(401)
        expect(statusOf('passkey: log in, elsewhere')).toBe(401)
        for (const { email } of [account, others[0]].filter((each) => each !== undefined))
          expect(await service.mail('account-exists', email)).toBeTruthy()
        for (const user of await users.list({ limit: 100 })) await users.delete(user.id)
      }
    },
  )

  attempt(
    'SRQ-02',
    {
      tried:
        'what is kept of a sign-up with a taken address: looked up, listed, changed and deleted by staff and by the app’s own code; logged in to, also once no confirmation is required; its name and its passkey taken by somebody else',
      expected: 'nobody finds it or gets into it, and both are taken, as those of any other sign-up are',
    },
    async ({ start, users, sessionRows }) => {
      const options = { users: { variant: 'both' }, features: [passkeys()] } as const
      const service = await start({ ...options, requireEmailConfirmation: true })
      const { accounts } = service.app
      const email = 'alice@example.org'
      await accounts.createUser({ username: 'alice', password: otherPassword, email, isVerified: true })
      await accounts.createUser({ username: 'chief', password: goodPassword, isStaff: true })
      const mallory = visitor(service)
      const { passkey, answer } = await mallory.signUp('mallory', { email })
      expect(answer.statusCode).toBe(202)
      const stored = await users.findByUsername('mallory')
      expect(stored).toMatchObject({
        kind: 'unclaimed',
        email: null,
        identityKeys: [`passkey:${passkey.id}`],
      })
      const id = stored?.id ?? ''

      expect([await accounts.findUser({ id }), await accounts.findUser({ username: 'MALLORY' })]).toEqual([
        null,
        null,
      ])
      expect([await accounts.updateUser(id, { isVerified: true }), await accounts.deleteUser(id)]).toEqual([
        null,
        false,
      ])
      expect(await accounts.setPassword(id, goodPassword)).toBe(false)
      const chief = visitor(service)
      await chief.logIn('chief')
      for (const [method, path, body] of [
        ['GET', ''],
        ['PATCH', '', { is_verified: true }],
        ['POST', '/end-sessions/'],
        ['DELETE', ''],
      ] as const)
        expect((await chief.send(method, `/user/${id}${path}`, body)).statusCode).toBe(404)
      for (const query of ['', '?search=mall', '?view=own', '?order=-username', '?is_verified=false']) {
        const { results } = (await chief.send('GET', `/user/${query}`)).json()
        const seen = results.map(({ username }: { username: string }) => username)
        expect([query, seen.includes('mallory')]).toEqual([query, false])
      }

      const rows = await sessionRows()
      const open = await start({ ...options, requireEmailConfirmation: false })
      expect(refusalOf(await visitor(open).use(passkey))).toEqual([401, 'ACCOUNTS_INVALID_CREDENTIALS'])
      await signUp(service, 'eve', { email })
      const byName = await open.send('POST', '/login/', { username: 'eve', password: goodPassword })
      expect(refusalOf(byName)).toEqual([403, 'ACCOUNTS_NOT_VERIFIED'])
      expect(await sessionRows()).toBe(rows)
      expect(refusalOf(await open.send('POST', '/user/', { username: 'Mallory', ...passwords }))).toEqual([
        409,
        'ACCOUNTS_USERNAME_TAKEN',
      ])
      const copy = await visitor(open).signUp('bob', { email: 'bob@example.org' }, { id: passkey.id })
      expect(refusalOf(copy.answer)).toEqual([400, 'ACCOUNTS_INVALID_PASSKEY'])
      expect(await users.findById(id)).toEqual(stored)
    },
  )
})
