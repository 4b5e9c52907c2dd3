import type { FieldError } from '../../../errors.js'
import type { MakePage } from '../../../http/operation.js'
import type { StoredUser } from '../../../user.js'
import type { FeatureCore } from '../../feature.js'
import { needsPassword } from '../needs-password.js'
import { firstPasswordPage, verifyPage } from '../pages.js'
import { accountFacts, showElsewhere } from './elsewhere.js'

/** The page of a link: for the maker of the account a button, or a first password if nothing else lets them in. */
export function showUnverified(
  core: FeatureCore,
  user: StoredUser,
  isMaker: boolean,
  faults: readonly FieldError[] = [],
): MakePage {
  if (!isMaker) return showElsewhere(core, user, faults)
  const facts = accountFacts(core, user)
  if (!needsPassword(core, user))
    return faults.length === 0 ? (theme) => verifyPage(theme, facts) : showElsewhere(core, user, faults)
  return (theme) => firstPasswordPage(theme, { ...facts, lengths: core.options.password, faults })
}
