import { type PagesOptions, pages } from '@fastify-accounts/pages'
import { type TestApp, testApp } from '@fastify-accounts/test-support/app'
import type { FastifyInstance } from 'fastify'
import type { AccountsOptions } from 'fastify-accounts'

export * from '@fastify-accounts/test-support/page-browser'

/** An app with pages and one guarded route, `/secret/`. */
export async function pagesApp(
  own: PagesOptions = {},
  options: Partial<AccountsOptions> = {},
  before: (app: FastifyInstance) => unknown = () => {},
): Promise<TestApp> {
  return testApp(
    { ...options, features: [...(options.features ?? []), pages(own)] },
    {
      async before(app) {
        app.get(
          '/secret/',
          { onRequest: (request, reply) => app.accounts.requireUser(request, reply) },
          async () => 'in',
        )
        await before(app)
      },
    },
  )
}
