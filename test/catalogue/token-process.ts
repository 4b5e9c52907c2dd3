import { providers } from '@fastify-accounts/providers'
import { testAppOn } from '@fastify-accounts/test-support/app'
import { type SharedPlace, storesAt } from '@fastify-accounts/test-support/shared-place'

/** Users whose tokens at an issuer are asked for, on the stores of a ground. */
export interface TokenErrand extends SharedPlace {
  issuer: string
  ids: string[]
}

/** The providers of all processes. */
export const keeping = (issuer: string) =>
  providers([
    {
      name: 'demo',
      issuer,
      clientId: 'app',
      clientSecret: 'secret',
      authoritativeFor: true,
      keepTokens: true,
    },
  ])

/** For race-processes.ts in packages/test-support. */
export const tasks = {
  /** Asks for the tokens of all users concurrently, and returns the access tokens. */
  async ask({ place, prefix, issuer, ids }: TokenErrand) {
    const feature = keeping(issuer)
    const stores = await storesAt(place, prefix)
    const { app } = await testAppOn(stores, {
      features: [feature],
      adapterTimeout: 60_000,
    })
    return async () => {
      const tokens = await Promise.all(ids.map((id) => feature.tokensOf(id, 'demo')))
      await app.close()
      await stores.disconnect()
      return tokens.map((each) => each?.accessToken ?? null)
    }
  },
}
