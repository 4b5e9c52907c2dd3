import type { Deps } from '../../../deps.js'
import { AccountsError, type FieldError } from '../../../errors.js'
import type { LinkParams } from '../../../http/input/schemas.js'
import type { MakePage } from '../../../http/operation.js'
import { ownersName, shownName } from '../../../identifiers/account-name.js'
import { findUserById } from '../../../identifiers/user-id.js'
import type { BeginningPaths, BeginningProof } from '../../../logins/other-beginning.js'
import { besideVisitor } from '../../../pages/theme.js'
import type { Invitation } from '../../../seams/invitation-store.js'
import type { StoredUser, User } from '../../../user.js'
import { giftOf, noGift } from '../../../users/invitations/invitation.js'
import { newOwnersChoice } from '../../../users/ownership/new-owners-choice.js'
import { isProven } from '../../../users/ownership/states.js'
import type { FeatureCore, SubjectDeps } from '../../feature.js'
import { acceptPage, type InvitationFacts, invitationPage, logInPage } from '../pages.js'
import { needsUsername } from './check-acceptance.js'
import { targetFactsOf } from './find-invitee.js'

/** An invitation whose page is shown, and to whom. */
interface Shown {
  facts: InvitationFacts
  /** Who has the address; `null` if nobody. */
  owner: StoredUser | null
  who: User | null
}

/** @throws AccountsError ACCOUNTS_INVALID_LINK if the account of the address is disabled, or what it invites to is gone */
export async function readInvitation(
  deps: Pick<Deps, 'users' | 'options' | 'invitationTargets'>,
  invitation: Invitation,
  who: User | null,
): Promise<Shown> {
  const { email, emailKey } = invitation
  const owner = await deps.users.findByEmail(emailKey)
  if (owner?.isActive === false) throw new AccountsError('ACCOUNTS_INVALID_LINK')
  const target = targetFactsOf(deps, invitation)
  const described = target && (await target.describe(invitation))
  if (target !== null && described === null) throw new AccountsError('ACCOUNTS_INVALID_LINK')
  return {
    facts: {
      email,
      gift: target === null ? giftOf(invitation) : noGift,
      to: target && described && { kind: target.word, ...described },
      inviter: await inviterNameOf(deps, invitation),
    },
    owner,
    who,
  }
}

/** Whom invited people see as their inviter; `null` for the app itself, or somebody without a name. */
export async function inviterNameOf(
  { users, options }: Pick<SubjectDeps, 'users' | 'options'>,
  { inviterId }: Invitation,
): Promise<string | null> {
  const inviter = inviterId === null ? null : await findUserById(users, inviterId)
  return inviter && shownName(options, inviter)
}

/** The same in JSON. */
export function invitationBody({ options }: Pick<FeatureCore, 'options'>, shown: Shown): object {
  const { facts, owner } = shown
  const { roles, fields } = facts.gift
  const { to } = facts
  return {
    valid: true,
    email: facts.email,
    username_required: needsUsername(options, owner),
    login_required: isProven(owner),
    gives: { fields, ...(options.roles !== undefined && { roles: [...roles] }) },
    ...(to !== null && { to: { ...to, roles: [...to.roles] } }),
    invited_by: facts.inviter,
  }
}

export function showInvitation(
  { options, beginnings, where }: Pick<FeatureCore, 'options' | 'beginnings' | 'where'>,
  shown: Shown,
  params: LinkParams,
  faults: readonly FieldError[] = [],
  typed: Readonly<Record<string, string>> = {},
): MakePage {
  const { facts, owner, who } = shown
  if (owner !== null && isProven(owner)) {
    if (who?.id === owner.id) return (theme) => acceptPage(theme, facts)
    const other = who && ownersName(options, who)
    return (theme) => logInPage(theme, facts, other, where.path('invitation', params))
  }
  const form = {
    ...facts,
    profile: owner && newOwnersChoice(options, 'proved-elsewhere', owner).profile,
    asksUsername: needsUsername(options, owner),
    lengths: options.password,
    faults,
    typed,
  }
  const scripts = beginnings.flatMap(({ script }) => script ?? [])
  return (plainTheme) => {
    const theme = besideVisitor(plainTheme, options, who, owner)
    const otherWays = beginnings.map(({ show, proof }) => show(theme, proof && pathsOf(proof, where, params)))
    const script = scripts.join('\n')
    return { html: invitationPage(theme, { ...form, otherWays, script }), script }
  }
}

const pathsOf = (
  { kind }: BeginningProof,
  where: FeatureCore['where'],
  params: LinkParams,
): BeginningPaths => ({
  options: where.path(`invitation-${kind}-options`, params),
  action: where.path(`invitation-${kind}`, params),
})
