import type { FieldError } from '../../../errors.js'
import type { MakePage } from '../../../http/operation.js'
import { shownName } from '../../../identifiers/account-name.js'
import { removedBy } from '../../../logins/removed.js'
import { holdsPassword, type StoredUser } from '../../../user.js'
import { ownershipChanges } from '../../../users/ownership/table.js'
import type { FeatureCore } from '../../feature.js'
import { type AccountFacts, verifyElsewherePage } from '../pages.js'
import { passkeyScript } from '../passkey-button.js'

/** The page for anybody who hasn't shown that they made the account. It may have a script. */
export function showElsewhere(
  core: FeatureCore,
  user: StoredUser,
  faults: readonly FieldError[] = [],
): MakePage {
  const passkeyUrl = passkeyUrlFor(core, user)
  const facts = {
    ...accountFacts(core, user),
    hasPassword: holdsPassword(user),
    passkeyUrl,
    // Otherwise only with a proven address.
    canLogIn: !core.options.requireEmailConfirmation && core.hasWayIn(user),
    removes: removedBy(
      user,
      ownershipChanges('proved-elsewhere', user, core.options) ?? {},
      core.pending.devices,
    ),
    lengths: core.options.password,
    faults,
  }
  return (theme) => {
    const html = verifyElsewherePage(theme, facts)
    return passkeyUrl === null ? html : { html, script: passkeyScript }
  }
}

export function accountFacts({ options }: Pick<FeatureCore, 'options'>, user: StoredUser): AccountFacts {
  return { username: shownName(options, user), email: user.email ?? '', createdAt: user.createdAt }
}

function passkeyUrlFor({ factors, where }: FeatureCore, user: StoredUser): string | null {
  const route = factors.find(({ logsIn }) => logsIn?.(user))?.aloneRoute
  return route === undefined || where.url(route) === undefined ? null : where.path(route)
}
