import type { Host } from '@fastify-accounts/test-support/app'
import { type AccountsOptions, type Mail, type TokensOptions, tokens } from 'fastify-accounts'

/** The options of an app that histories are played on. */
export const optionsWith = (ofTokens?: TokensOptions) =>
  ({
    features: [tokens(ofTokens)],
    session: { newDeviceMail: false },
    // On a busy machine a call may take seconds.
    adapterTimeout: 60_000,
  }) satisfies Partial<AccountsOptions>

/** With a route for those whose login is recent. */
export const host = {
  before(app) {
    app.get(
      '/recent',
      { onRequest: (request, reply) => app.accounts.requireRecentLogin(request, reply) },
      async () => ({}),
    )
  },
} satisfies Host

/** How many of these have told an address of a reuse. */
export function countNotices(mails: readonly Mail[], address: string): number {
  return mails.filter(({ kind, to }) => kind === 'token-reused' && to.address === address).length
}

/** Whom a history is about. */
export interface Owner {
  username: string
  email: string
  password: string
}
