import {
  everyFeature,
  type Mounted,
  mountedOperations,
  optedIn,
} from '@fastify-accounts/test-support/operations'

/** A route of the plugin or of a feature in a package of this project, as the docs and the client have it. */
export interface Described extends Mounted {
  id: string
  /** The option of its prefix. */
  mount: 'auth' | 'users'
  /** The entry of the client's package that has its call; `null` for pages, which are for people. */
  entry: string | null
  /** Whether every app has it. */
  isAlways: boolean
  /** The method of `app.accounts`, as `updateUser()`, or the reason why there is none. */
  host: string
}

async function mountedWith(options: Parameters<typeof mountedOperations>[0]): Promise<Map<string, Mounted>> {
  const { app, mounted } = await mountedOperations(options)
  await app.close()
  return mounted
}

/** Every route, with those of each feature together. */
export async function describedRoutes(): Promise<Described[]> {
  const base = { features: [], login: {} }
  const { tokens, ...others } = optedIn()
  const brought: [entry: string | null, Map<string, Mounted>][] = [
    [null, await mountedWith(base)],
    ['email-code', await mountedWith({ features: [] })],
    ['tokens', await mountedWith({ ...base, features: [tokens] })],
  ]
  for (const [name, feature] of Object.entries(others))
    brought.push([name, await mountedWith({ ...base, features: [feature] })])
  // Without tokens, which are in responses of other routes.
  const plain = await mountedWith({ features: Object.values(others) })
  const prefixed = { auth: { prefix: '/auth' }, users: { prefix: '/users' } }
  const { app, mounted: all } = await mountedOperations({ ...prefixed, features: await everyFeature() })
  const methods = Object.keys(app.accounts)
  await app.close()
  return [...all].map(([id, whole]): Described => {
    const [feature, routes] = brought.find(([, mounted]) => mounted.has(id)) ?? []
    const route = plain.get(id) ?? routes?.get(id) ?? whole
    const [, mount, path] = /^\/(auth|users)(\/.*)$/.exec(whole.path) as unknown as [0, 'auth', string]
    const { isLink, linkPage, access, operation, name } = { ...route }
    const isOfOther = routes === undefined
    return {
      ...route,
      id,
      mount,
      path,
      entry: entryOf(),
      isAlways: feature === null,
      host: hostOf(),
    }

    function hostOf(): string {
      const usual = isLink ? 'link' : access.startsWith('anyone') ? 'login' : undefined
      const isOne = methods.includes(id) && id !== 'logIn'
      const host = operation.host ?? (isOne ? `${id}()` : usual)
      if (host === undefined) throw new Error(`${id} needs host: see OperationFacts in http/route.ts`)
      if (host.endsWith('()') && !methods.includes(host.slice(0, -2)))
        throw new Error(`${id} has host: '${host}', which app.accounts lacks`)
      return host
    }

    function entryOf(): string | null {
      if (isOfOther) return /passkey/.test(name) ? 'passkeys' : 'providers'
      if (linkPage && !isLink) return null
      if (access !== 'anyone-known' && /^\/user\/(\{|$)/.test(path)) return 'users'
      return feature ?? (isLink ? 'links' : '')
    }
  })
}
