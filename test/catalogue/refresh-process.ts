import { as, goodPassword, testAppOn } from '@fastify-accounts/test-support/app'
import { type SharedPlace, storesAt } from '@fastify-accounts/test-support/shared-place'
import type { DeliveredTokens } from 'fastify-accounts'
import { patient } from './token-clients.js'

/** Refreshes with one token, on the stores of a ground. */
export interface RefreshErrand extends SharedPlace {
  token: string
  count: number
}

export interface RefreshOutcome {
  statusCode: number
  tokens: DeliveredTokens | null
}

/** For race-processes.ts in packages/test-support. */
export const tasks = {
  /** Sends all refreshes concurrently. */
  async refresh({ place, prefix, token, count }: RefreshErrand) {
    const stores = await storesAt(place, prefix)
    const { app, send } = await testAppOn(stores, patient)
    return async (): Promise<RefreshOutcome[]> => {
      const refresh = () => send('POST', '/tokens/refresh/', { refresh_token: token })
      const responses = await Promise.all(Array.from({ length: count }, refresh))
      await app.close()
      await stores.disconnect()
      return responses.map((response) => {
        const { statusCode } = response
        return { statusCode, tokens: statusCode === 200 ? response.json().tokens : null }
      })
    }
  },

  /** Refreshes, and dies by kill -9 as soon as the store has written it. */
  async die({ token, ...place }: RefreshErrand) {
    const { send } = await dyingApp(place)
    return async () => {
      await send('POST', '/tokens/refresh/', { refresh_token: token })
    }
  },

  /** The same of a confirmation with a cookie. */
  async confirm({ cookie, ...place }: SharedPlace & { cookie: string }) {
    const { send } = await dyingApp(place)
    return async () => {
      await send('POST', '/confirm/', { password: goodPassword }, as(cookie))
    }
  },
}

/** An app that a change of a session kills before its response. */
async function dyingApp({ place, prefix }: SharedPlace) {
  const stores = await storesAt(place, prefix)
  const { sessions } = stores
  const { change } = sessions
  sessions.change = async (...given) => {
    await change(...given)
    process.kill(process.pid, 'SIGKILL')
    return new Promise(() => {})
  }
  return testAppOn(stores, patient)
}
