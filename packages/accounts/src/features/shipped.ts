import type { AccountsOptions } from '../options/options.js'
import { devices } from './devices/index.js'
import { emailChange } from './email-change/index.js'
import { confirmationCode, emailCode } from './email-code/index.js'
import type { Feature } from './feature.js'
import { notMe } from './not-me/index.js'
import { reset } from './reset/index.js'
import { verification } from './verification/index.js'

/** The features of every mount. */
export const shippedFeatures: readonly Feature[] = [reset, emailChange, devices, notMe, verification]

/** The features that a mount has because of its options, besides those it is given. */
export function shippedFor({
  login,
  features = [],
}: Pick<AccountsOptions, 'login' | 'features'>): readonly Feature[] {
  const logsInByCode = login?.emailCode === true
  // Whether it is a list is checked later.
  const given: readonly Feature[] = Array.isArray(features) ? features : []
  const confirmsByCode = logsInByCode || given.some((each) => each.needsConfirmationCode)
  return [
    ...shippedFeatures,
    ...(confirmsByCode ? [confirmationCode] : []),
    ...(logsInByCode ? [emailCode] : []),
  ]
}
