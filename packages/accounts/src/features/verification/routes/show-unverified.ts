import type { MakePage } from '../../../http/operation.js'
import { shownName } from '../../../identifiers/account-name.js'
import type { Factor } from '../../../logins/factor.js'
import type { NewOwnerForm } from '../../../pages/new-owner-fields.js'
import { besideVisitor, type PageTheme } from '../../../pages/theme.js'
import type { OpenedLink } from '../../../tokens/email-link.js'
import { holdsPassword, type StoredUser } from '../../../user.js'
import { newOwnersChoice } from '../../../users/ownership/new-owners-choice.js'
import { ownershipChanges } from '../../../users/ownership/table.js'
import { removedBy } from '../../../users/removed.js'
import type { FeatureCore } from '../../feature.js'
import { firstPasswordPage, verifyElsewherePage, verifyPage } from '../pages.js'
import { type PasskeyUrls, passkeyScript } from '../passkey-button.js'
import { type LinkUser, needsPassword, whoseLink } from './verify-plainly.js'

/** The path of one way to use the link; without one, its own. Never relative: the page may be at either. */
type PathOf = (way?: string) => string

/**
 * The page of a link. For the maker of the account a button, or a first password if nothing else lets them in; for anybody else
 * the ways to show that they are, and it may have a script.
 * @param name that of its routes
 * @param form what was wrong with one of the page, and typed into it
 */
export async function showUnverified(
  core: FeatureCore,
  name: string,
  link: LinkUser & Pick<OpenedLink, 'user'>,
  form: Pick<NewOwnerForm, 'faults' | 'typed'> = { faults: [], typed: {} },
): Promise<MakePage> {
  const { later: user, isTheirs } = await whoseLink(core, link, link.user)
  const pathOf: PathOf = (way) => core.where.path(way === undefined ? name : `${name}-${way}`, link.params)
  const { options } = core
  const beside = (theme: PageTheme) => besideVisitor(theme, options, link.who?.user ?? null, user)
  const lengths = options.password
  const account = { username: shownName(options, user), email: user.email ?? '', createdAt: user.createdAt }
  if (isTheirs && needsPassword(core, user)) {
    const action = pathOf('new-password')
    return (theme) => firstPasswordPage(beside(theme), { ...account, action, lengths, faults: form.faults })
  }
  if (isTheirs && form.faults.length === 0) return (theme) => verifyPage(beside(theme), account)
  const passkey = passkeyUrls(core, user, pathOf)
  const removing = ownershipChanges('proved-elsewhere', user, options) ?? {}
  const facts = {
    ...account,
    ...form,
    ...newOwnersChoice(options, 'proved-elsewhere', user),
    hasPassword: holdsPassword(user),
    passkey,
    // Otherwise only with a proven address.
    canLogIn: !options.requireEmailConfirmation && core.hasWayIn(user),
    removes: removedBy(user, removing, core.pending.devices),
    lengths,
    actions: { password: pathOf('password'), newPassword: pathOf('new-password') },
  }
  return (theme) => {
    const html = verifyElsewherePage(beside(theme), facts)
    return passkey === null ? html : { html, script: passkeyScript }
  }
}

/** What a factor is called that proves its owner by itself: `passkey`. */
export const wayOf = ({ kind, field }: Factor): string => kind ?? field

function passkeyUrls({ factors, where }: FeatureCore, user: StoredUser, pathOf: PathOf): PasskeyUrls | null {
  const factor = factors.find(({ logsIn }) => logsIn?.(user))
  const options = factor?.aloneRoute
  if (factor === undefined || options === undefined || where.url(options) === undefined) return null
  return { options: where.path(options), action: pathOf(wayOf(factor)), done: pathOf() }
}
