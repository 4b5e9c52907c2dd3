import { providers } from '@fastify-accounts/providers'
import { goodPassword, linkPath, linkTarget } from '@fastify-accounts/test-support/app'
import { appBrowser } from '@fastify-accounts/test-support/app-browser'
import { startIssuer, type TestIssuer } from '@fastify-accounts/test-support/providers/issuer'
import { visitor } from '@fastify-accounts/test-support/providers/service'
import {
  makeWorkspaces,
  openWorkspace,
  sqlGrounds,
  storesWith,
} from '@fastify-accounts/test-support/workspaces'
import { invitations } from 'fastify-accounts'
import { afterAll, beforeAll, expect } from 'vitest'
import { cases } from './catalogue.js'

let issuer: TestIssuer
beforeAll(async () => {
  issuer = await startIssuer()
})
afterAll(() => issuer.close())

const passwords = { password: goodPassword, confirm_password: goodPassword }

cases('Alongside', ({ storage }) => {
  storage(
    'ALO-12',
    {
      tried:
        'every way in which an address is known to be its user’s: a link, staff, the app’s own code, an invitation, a provider, a change of address; a plain proof; the app’s own code refuses',
      expected:
        'the app’s own code runs in the transaction of that change, and its error undoes the change: the link works again; a plain proof runs nothing',
      ...sqlGrounds,
    },
    async (scene) => {
      const { titles } = await makeWorkspaces(scene)
      let isFull = false
      const stores = await storesWith(scene, {
        async verified(tx, { id, email }) {
          await tx.deleteFrom('workspaces').where('owner_id', '=', id).execute()
          await openWorkspace(tx, id, `of ${email}`)
          if (isFull) throw Object.assign(new Error('the organization is full'), { statusCode: 402 })
        },
      })
      const client = { clientId: 'app', clientSecret: 'secret', authoritativeFor: true } as const
      const service = await scene.start({
        ...stores,
        features: [invitations(), providers([{ name: 'demo', issuer: issuer.url, ...client }])],
        adapterTimeout: 60_000,
      })
      const { accounts } = service.app
      const addressOf = (name: string) => `${name}@example.org`
      const joined: string[] = []
      /** Checks who has joined since. */
      const joins = async (...names: string[]) => {
        joined.push(...names.map((name) => `of ${addressOf(name)}`))
        expect(await titles()).toEqual(joined.toSorted())
      }
      const signUp = async (username: string) => {
        const browser = appBrowser(service)
        const email = addressOf(username)
        expect((await browser.send('POST', '/user/', { username, email, ...passwords })).statusCode).toBe(201)
        const id = (await accounts.findUser({ username }))?.id ?? ''
        return { browser, email, id }
      }
      const verifyLink = async ({ browser, email }: Awaited<ReturnType<typeof signUp>>) => {
        await browser.send('POST', '/user/v/', { email })
        return linkPath(await service.mail('verify-email', email))
      }

      const ada = await signUp('ada')
      const link = await verifyLink(ada)
      await joins()
      expect((await ada.browser.send('POST', link)).statusCode).toBe(200)
      await joins('ada')

      // Somebody who has the mailbox, and didn't show that they signed up.
      const eve = await signUp('eve')
      expect((await service.send('POST', await verifyLink(eve))).statusCode).toBe(200)
      expect(await accounts.findUser({ id: eve.id })).toMatchObject({ isVerified: true })
      await joins()

      await accounts.createUser({ username: 'boss', password: goodPassword, isStaff: true })
      const boss = appBrowser(service)
      await boss.logIn('boss')
      const bob = await signUp('bob')
      expect((await boss.send('PATCH', `/user/${bob.id}`, { is_verified: true })).statusCode).toBe(200)
      await joins('bob')
      await accounts.updateUser((await signUp('carol')).id, { isVerified: true })
      await joins('carol')
      await accounts.createUser({
        username: 'dora',
        password: goodPassword,
        email: addressOf('dora'),
        isVerified: true,
      })
      await joins('dora')

      await accounts.invite({ email: addressOf('fay') })
      const invited = linkPath(await service.mail('invitation', addressOf('fay')))
      const choice = { username: 'fay', new_password: goodPassword, confirm_password: goodPassword }
      expect((await service.send('POST', invited, choice)).statusCode).toBeLessThan(300)
      await joins('fay')
      const claims = { sub: 'gil', email: addressOf('gil'), email_verified: true }
      expect((await visitor({ ...service, issuer }).logInWith(claims)).statusCode).toBe(303)
      await joins('gil')

      await ada.browser.logIn('ada')
      await ada.browser.send('POST', '/change-email/', { email: addressOf('moved') })
      const confirm = linkTarget(await service.mail('change-email', addressOf('moved')))
      await joins()
      isFull = true
      const refused = await ada.browser.send('POST', confirm)
      expect([refused.statusCode, refused.json().message]).toEqual([402, 'the organization is full'])
      expect(await accounts.findUser({ id: ada.id })).toMatchObject({ email: ada.email })
      await joins()
      isFull = false
      expect((await ada.browser.send('POST', confirm)).statusCode).toBe(200)
      joined.shift()
      await joins('moved')
      await service.settle()
      expect(service.mails.filter(({ kind }) => kind === 'email-changed')).toHaveLength(1)
    },
  )
})
