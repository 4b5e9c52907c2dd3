import type { AccountsOptions } from '../options/options.js'
import { account } from './account/index.js'
import { confirm } from './confirm/index.js'
import { devices } from './devices/index.js'
import { emailChange } from './email-change/index.js'
import { confirmationCode, emailCode } from './email-code/index.js'
import type { Feature } from './feature.js'
import { login } from './login/index.js'
import { notMe } from './not-me/index.js'
import { password } from './password/index.js'
import { reset } from './reset/index.js'
import { signUp } from './sign-up/index.js'
import { staff } from './staff/index.js'
import { verification } from './verification/index.js'

/** The features of every mount. */
export const shippedFeatures: readonly Feature[] = [
  ...[login, password, account, confirm, staff, signUp],
  ...[reset, emailChange, devices, notMe, verification],
]

/** The features that a mount has because of its options, besides those it is given. */
export function shippedFor({
  login: logins,
  features = [],
}: Pick<AccountsOptions, 'login' | 'features'>): readonly Feature[] {
  const logsInByCode = logins?.emailCode === true
  // Whether it is a list is checked later.
  const given: readonly Feature[] = Array.isArray(features) ? features : []
  const confirmsByCode = logsInByCode || given.some((each) => each.needsConfirmationCode)
  return [
    ...shippedFeatures,
    ...(confirmsByCode ? [confirmationCode] : []),
    ...(logsInByCode ? [emailCode] : []),
  ]
}
