import { type PagesOptions, pages } from '@fastify-accounts/pages'
import { type TestApp, testApp } from '@fastify-accounts/test-support/app'
import type { FastifyInstance } from 'fastify'
import type { AccountsOptions } from 'fastify-accounts'
import { onTestFinished, vi } from 'vitest'

export * from '@fastify-accounts/test-support/page-browser'

/** Minutes later, for the rest of the test: others of the process have their own clock. */
export function later(minutes: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 60_000 })
  onTestFinished(() => void vi.useRealTimers())
}

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
