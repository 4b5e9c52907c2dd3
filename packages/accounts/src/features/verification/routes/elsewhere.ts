import type { FieldError } from '../../../errors.js'
import type { LinkParams } from '../../../http/input/schemas.js'
import type { MakePage } from '../../../http/operation.js'
import { shownName } from '../../../identifiers/account-name.js'
import type { Factor } from '../../../logins/factor.js'
import { holdsPassword, type StoredUser } from '../../../user.js'
import { newOwnersChoice } from '../../../users/ownership/new-owners-choice.js'
import { ownershipChanges } from '../../../users/ownership/table.js'
import { removedBy } from '../../../users/removed.js'
import type { FeatureCore } from '../../feature.js'
import { type AccountFacts, verifyElsewherePage } from '../pages.js'
import { type PasskeyUrls, passkeyScript } from '../passkey-button.js'

/** A verification link whose page is shown. */
export interface ShownLink {
  user: StoredUser
  /** Of its routes. */
  name: string
  params: LinkParams
  /** What was wrong with a form of the page, and typed into it. Default: none was sent. */
  faults?: readonly FieldError[]
  typed?: Readonly<Record<string, string>>
}

/** The page for anybody who hasn't shown that they made the account. It may have a script. */
export function showElsewhere(core: FeatureCore, link: ShownLink): MakePage {
  const { user, faults = [], typed = {} } = link
  const passkey = passkeyUrls(core, link)
  const facts = {
    ...accountFacts(core, user),
    hasPassword: holdsPassword(user),
    passkey,
    // Otherwise only with a proven address.
    canLogIn: !core.options.requireEmailConfirmation && core.hasWayIn(user),
    removes: removedBy(
      user,
      ownershipChanges('proved-elsewhere', user, core.options) ?? {},
      core.pending.devices,
    ),
    ...newOwnersChoice(core.options, 'proved-elsewhere', user),
    lengths: core.options.password,
    actions: { password: pathOf(core, link, 'password'), newPassword: pathOf(core, link, 'new-password') },
    faults,
    typed,
  }
  return (theme) => {
    const html = verifyElsewherePage(theme, facts)
    return passkey === null ? html : { html, script: passkeyScript }
  }
}

export function accountFacts({ options }: Pick<FeatureCore, 'options'>, user: StoredUser): AccountFacts {
  return { username: shownName(options, user), email: user.email ?? '', createdAt: user.createdAt }
}

/** The path of one way to use the link; without one, its own. Never relative: the page may be at either. */
export function pathOf({ where }: FeatureCore, { name, params }: ShownLink, way?: string): string {
  return where.path(way === undefined ? name : `${name}-${way}`, params)
}

/** What a factor is called that proves its owner by itself: `passkey`. */
export const wayOf = ({ kind, field }: Factor): string => kind ?? field

function passkeyUrls(core: FeatureCore, link: ShownLink): PasskeyUrls | null {
  const { factors, where } = core
  const factor = factors.find(({ logsIn }) => logsIn?.(link.user))
  const options = factor?.aloneRoute
  if (factor === undefined || options === undefined || where.url(options) === undefined) return null
  return {
    options: where.path(options),
    action: pathOf(core, link, wayOf(factor)),
    done: pathOf(core, link),
  }
}
