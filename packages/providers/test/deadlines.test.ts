import { setTimeout as sleep } from 'node:timers/promises'
import { refusalOf } from '@fastify-accounts/test-support/app-browser'
import { demoApp, visitor } from '@fastify-accounts/test-support/providers/service'
import { describe, expect, it } from 'vitest'

const ada = { sub: 'ada-1', email: 'ada@example.org', email_verified: true, preferred_username: 'ada' }
const adapterTimeout = 1500
const never = () => new Promise<never>(() => {})

describe('`allow`', () => {
  it.each<[string, () => Promise<boolean>]>([
    ['throws', () => Promise.reject(new Error('the directory is away'))],
    ['never responds', never],
    ['says yes too late', async () => sleep(adapterTimeout + 200, true)],
  ])('FLT-22 lets nobody in if it %s, and refuses nobody either', async (_, fails) => {
    let isBroken = true
    let response: Promise<boolean> = Promise.resolve(true)
    const service = await demoApp(
      {
        authoritativeFor: true,
        allow() {
          if (isBroken) response = fails()
          return isBroken ? response : true
        },
      },
      { adapterTimeout },
    )
    const browser = visitor(service)
    expect(refusalOf(await browser.logInWith(ada))).toEqual([503, 'ACCOUNTS_UNAVAILABLE'])
    if (fails !== never) await response.catch(() => {})
    await service.settle()
    expect([await browser.who(), await service.users.findByEmail(ada.email), service.mails]).toEqual([
      null,
      null,
      [],
    ])
    isBroken = false
    expect((await browser.logInWith(ada)).statusCode).toBe(303)
    expect(await browser.who()).toBe('ada')
  })
})

it.each([{ profile: never }, { clientSecret: never }])(
  'FLT-22 a provider is unavailable if %o never responds',
  async (own) => {
    const service = await demoApp({ authoritativeFor: true, ...own }, { adapterTimeout })
    const browser = visitor(service)
    expect(refusalOf(await browser.logInWith(ada))).toEqual([503, 'ACCOUNTS_PROVIDER_UNAVAILABLE'])
    expect(await browser.who()).toBeNull()
  },
)
