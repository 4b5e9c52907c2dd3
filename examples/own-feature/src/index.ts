import type { HostCall, Limit } from 'fastify-accounts'
import type { Feature } from 'fastify-accounts/features'
import { closeAccountRoutes } from './routes.js'
import { de, en, fr } from './texts.js'

declare module 'fastify-accounts' {
  interface FeatureLinks {
    'close-account': 'close-account-link'
  }
  interface FeatureMails {
    'close-account': true
  }
  interface FeatureErrors {
    CLOSE_ACCOUNT_STAFF: true
  }
  interface FeatureActions {
    'close-account': 'close-account' | 'close-account-link'
  }
  interface FeatureCalls {
    /** Emails the link to a user, as at a support desk. Resolves to whether there is such a user. */
    sendCloseAccountLink(userId: string, call?: HostCall): Promise<boolean>
  }
  interface FeatureTexts {
    'close-account': typeof en
  }
  interface AccountLimits {
    /** Requests for a link per user. Default 3 an hour. */
    closeAccount: Limit
  }
}

const hour = 60 * 60 * 1000

/**
 * Users close their account with an emailed link, so a stolen session alone isn't enough.
 * @param options.lifetime how long the link is valid, in milliseconds; default 1 hour
 */
export function closeAccount({ lifetime = hour }: { lifetime?: number } = {}): Feature {
  return {
    name: 'close-account',
    texts: { en, de, fr },
    limits: { closeAccount: { max: 3, window: hour } },
    errors: { CLOSE_ACCOUNT_STAFF: 409 },
    links: {
      'close-account': {
        route: 'close-account-link',
        lifetime,
        // A new password, a logout everywhere or a change of address invalidates it.
        boundTo: ({ sessionEpoch, emailKey }) => [sessionEpoch, emailKey],
      },
    },
    mails: { 'close-account': { link: 'close-account' } },
    check() {
      if (!Number.isSafeInteger(lifetime) || lifetime < 1000)
        throw new Error('closeAccount: lifetime must be at least 1000 milliseconds')
    },
    // When they last asked, for GET /me/export/.
    export: ({ notes }) => notes['close-account'] ?? null,
    host: () => ({
      calls: {
        sendCloseAccountLink: {
          action: 'close-account',
          parameters: ['userId'],
          run:
            ({ users, postOffice }) =>
            async (userId) => {
              const user = await users.findById(userId)
              return user !== null && postOffice.post(postOffice.about('close-account', user))
            },
        },
      },
    }),
    routes: () => ({ auth: closeAccountRoutes }),
  }
}
