import type { MakePage } from '../../../http/operation.js'
import type { FeatureCore } from '../../feature.js'
import { needsPassword } from '../needs-password.js'
import { firstPasswordPage, verifyPage } from '../pages.js'
import { accountFacts, pathOf, type ShownLink, showElsewhere } from './elsewhere.js'

/** The page of a link: for the maker of the account a button, or a first password if nothing else lets them in. */
export function showUnverified(core: FeatureCore, link: ShownLink, isMaker: boolean): MakePage {
  if (!isMaker) return showElsewhere(core, link)
  const { faults = [] } = link
  const facts = accountFacts(core, link.user)
  if (!needsPassword(core, link.user))
    return faults.length === 0 ? (theme) => verifyPage(theme, facts) : showElsewhere(core, link)
  const action = pathOf(core, link, 'new-password')
  return (theme) => firstPasswordPage(theme, { ...facts, action, lengths: core.options.password, faults })
}
