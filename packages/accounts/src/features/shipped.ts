import type { MountCore } from '../http/feature-core.js'
import type { Limits } from '../options/limits.js'
import type { AccountsOptions } from '../options/options.js'
import { account } from './account/routes.js'
import { activityHost } from './activity/host.js'
import { activity } from './activity/index.js'
import { apiKeyHost } from './api-keys/host.js'
import { composeFeatures } from './compose.js'
import { confirm } from './confirm/routes.js'
import { devices } from './devices/routes.js'
import { emailChange } from './email-change/index.js'
import { confirmationCode, emailCode } from './email-code/index.js'
import { userExport } from './export/index.js'
import type { Feature } from './feature.js'
import type { FeatureHost } from './host.js'
import { identityHost } from './identity-host.js'
import { invitationHost } from './invitations/host.js'
import { login } from './login/routes.js'
import { notMe } from './not-me/index.js'
import { password } from './password/routes.js'
import { reset } from './reset/index.js'
import { factorHost } from './second-factor/host.js'
import { signUp } from './sign-up/index.js'
import { staff } from './staff/routes.js'
import { verification } from './verification/index.js'

/** The features of every mount. */
export const shippedFeatures: readonly Feature[] = [
  ...[login, password, account, userExport, confirm, staff, signUp],
  ...[reset, emailChange, devices, notMe, verification],
]

/** The limits of the core and of these. */
export const defaultLimits: Readonly<Limits> = composeFeatures(shippedFeatures).names.limits

/** The features that a mount has because of its options, besides those it is given. */
export function shippedFor({
  login: logins,
  activity: activityStore,
  features = [],
}: Pick<AccountsOptions, 'login' | 'activity' | 'features'>): readonly Feature[] {
  const logsInByCode = logins?.emailCode === true
  // Whether it is a list is checked later.
  const appFeatures: readonly Feature[] = Array.isArray(features) ? features : []
  const confirmsByCode = logsInByCode || appFeatures.some((each) => each.enables?.confirmationCode)
  return [
    ...shippedFeatures,
    ...(confirmsByCode ? [confirmationCode] : []),
    ...(logsInByCode ? [emailCode] : []),
    ...(activityStore === undefined ? [] : [activity]),
  ]
}

/** What `app.accounts` has for features that a mount lacks: most calls only say which feature they need. */
export function hostsOfNone(core: MountCore): readonly FeatureHost[] {
  const missing = (need: string) => (): never => {
    throw new Error(`fastify-accounts: ${need}`)
  }
  return [
    invitationHost(missing('invitations need the feature invitations() in the option features')),
    apiKeyHost(core, missing('API keys need the feature apiKeys(…) in the option features')),
    identityHost(core, missing('identities need a feature with them, such as providers([…]), in features')),
    activityHost(missing('activity needs the option activity')),
    factorHost(undefined),
  ]
}
