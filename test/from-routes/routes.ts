import {
  everyFeature,
  type Mounted,
  mountedOperations,
  prefixes,
} from '@fastify-accounts/test-support/operations'
import { shippedFeatures } from '../../packages/accounts/src/features/shipped.js'

/** A route of the plugin or of a feature in a package of this project, as the docs and the client have it. */
export interface Described extends Mounted {
  id: string
  /** Whether every app has it. */
  isAlways: boolean
  /** The entry of the client's package that has its call; `null` for pages, which are for people. */
  entry: string | null
  /** The method of `app.accounts`, as `updateUser()`, or the reason why there is none. */
  host: string
}

/** The features in packages of their own, which declare their names themselves. */
export const featurePackages: readonly string[] = ['passkeys', 'providers', 'organizations']

const shipped = ['api-root', ...shippedFeatures.map(({ name }) => name)]
/** Whether every app has it: all routes of the features of every app but those that take `login.emailCode` or passkeys. */
const isAlways = (route: Mounted) =>
  shipped.includes(route.feature) && route.name !== 'reset-code' && !isOfPasskeys(route)
/** Whether an app with passkeys has it, although its feature is another one. */
const isOfPasskeys = ({ feature, name }: Mounted) =>
  feature === 'passkeys' || /-verify-passkey$|^invitation-passkey/.test(name)

/** Every route. */
export async function describedRoutes(): Promise<Described[]> {
  const { app, mounted } = await mountedOperations({ ...prefixes, features: await everyFeature() })
  const methods = methodsOf(app.accounts)
  await app.close()
  return [...mounted].map(([id, route]) => ({
    ...route,
    id,
    isAlways: isAlways(route),
    entry: entryOf(route),
    host: hostOf(route, methods),
  }))
}

/** Where the client has its call. */
function entryOf(route: Mounted): string | null {
  const { access, feature, isLink, linkPage, path } = route
  if (isOfPasskeys(route)) return 'passkeys'
  if (feature === 'providers') return feature
  if (linkPage && !isLink) return null
  if (access !== 'anyone-known' && /^\/user\/(\{|$)/.test(path)) return 'users'
  if (isAlways(route)) return isLink ? 'links' : ''
  return shipped.includes(feature) || feature === 'confirmation-code' ? 'email-code' : feature
}

/** The methods of `app.accounts`, also those within a group, as `organizations.create`. */
function methodsOf(accounts: object): string[] {
  return Object.entries(accounts).flatMap(([name, value]) =>
    Object.getPrototypeOf(value) === Object.prototype
      ? Object.keys(value).map((inner) => `${name}.${inner}`)
      : [name],
  )
}

function hostOf({ feature, access, isLink, operation: { id, host } }: Mounted, methods: readonly string[]) {
  const isOne = methods.includes(id) && id !== 'logIn'
  const isSecret = feature === 'second-factor' || feature === 'passkeys'
  const usual = isLink ? 'link' : access.startsWith('anyone') ? 'login' : isSecret ? 'secrets' : undefined
  const said = host ?? (isOne ? `${id}()` : usual)
  if (said === undefined) throw new Error(`${id} needs host: see OperationFacts in http/route.ts`)
  if (said.endsWith('()') && !methods.includes(said.slice(0, -2)))
    throw new Error(`${id} has host: '${said}', which app.accounts lacks`)
  return said
}
