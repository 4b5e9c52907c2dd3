import { providers } from '@fastify-accounts/providers'
import { goodPassword } from '@fastify-accounts/test-support/app'
import { times } from '@fastify-accounts/test-support/depth'
import { startIssuer, type TestIssuer } from '@fastify-accounts/test-support/providers/issuer'
import { visitor } from '@fastify-accounts/test-support/providers/service'
import {
  makeWorkspaces,
  sqlGrounds,
  storesWith,
  workspacesWith,
} from '@fastify-accounts/test-support/workspaces'
import { afterAll, beforeAll, expect } from 'vitest'
import { cases } from './catalogue.js'

let issuer: TestIssuer
beforeAll(async () => {
  issuer = await startIssuer()
})
afterAll(() => issuer.close())

cases('Alongside', ({ storage }) => {
  storage(
    'ALO-11',
    {
      tried:
        'an account made with somebody else’s address is handed over to its owner, while its maker logs in, and while its deletion fails',
      expected:
        'the app’s own code gets both accounts in the transaction that deletes the old one; at any moment each account has its rows, and nothing else has',
      ...sqlGrounds,
    },
    async (scene) => {
      const workspaces = await makeWorkspaces(scene)
      const handed: [string, string][] = []
      const plain = workspacesWith()
      const stores = await storesWith(
        scene,
        workspacesWith({
          async handedOver(tx, old, successor) {
            await plain.deleted?.(tx, old)
            handed.push([old.id, successor.id])
          },
        }),
      )
      const client = { clientId: 'app', clientSecret: 'secret', authoritativeFor: ['example.org'] }
      const { app, send } = await scene.start({
        ...stores,
        users: { variant: 'both' },
        features: [providers([{ name: 'demo', issuer: issuer.url, ...client }])],
        adapterTimeout: 60_000,
      })
      for (let round = 1; round <= times({ quick: 2, full: 6 }); round += 1) {
        const email = `ada-${round}@example.org`
        const stranger = { username: `mallory-${round}`, password: goodPassword }
        const { id } = await app.accounts.createUser({ ...stranger, email })
        const owner = visitor({ app, issuer })
        const isFailing = round === 1
        const { delete: remove } = stores.userStore
        if (isFailing) stores.userStore.delete = () => Promise.reject(new Error('the connection is lost'))
        const coming = owner.logInWith({ sub: email, email, email_verified: true, preferred_username: 'ada' })
        const login = isFailing ? undefined : send('POST', '/login/', stranger)
        await Promise.all([coming, login])
        await workspaces.owners()
        if (!isFailing) continue
        // What is left of the old account goes with its rows, as `delete-unverified` deletes it.
        stores.userStore.delete = remove
        expect(handed).toEqual([])
        expect(await stores.userStore.delete(id)).toBe(true)
        await workspaces.owners()
        expect(await app.accounts.findUser({ email })).not.toBeNull()
      }
      // Undisturbed, with both accounts in their order.
      handed.length = 0
      const email = 'eve@example.org'
      const { id } = await app.accounts.createUser({ username: 'mallory', password: goodPassword, email })
      await visitor({ app, issuer }).logInWith({ sub: 'eve', email, email_verified: true })
      const eve = await app.accounts.findUser({ email })
      expect(handed).toEqual([[id, eve?.id]])
      expect(await workspaces.owners()).not.toContain('mallory')
    },
  )
})
