import type { TObject } from '@sinclair/typebox'
import { fieldError, invalidInput } from '../../../errors.js'
import { withOptional } from '../../../http/input/field-schemas.js'
import type { LinkParams } from '../../../http/input/schemas.js'
import type { Input } from '../../../http/operation.js'
import { noteNewPassword } from '../../../logins/note-new-password.js'
import { isMakersBrowser, isOfAnotherSignUp } from '../../../logins/own-browser.js'
import { holdsPassword, type StoredUser } from '../../../user.js'
import { isInvited } from '../../../users/invitation.js'
import type { FeatureCore } from '../../feature.js'
import { needsPassword } from '../needs-password.js'
import { passwordOrNew } from '../schemas.js'
import { verifyAnew } from '../verify-anew.js'
import { type MakerProof, verifyAsMaker } from '../verify-as-maker.js'
import { verifyUser } from '../verify-user.js'

interface VerifyBody {
  password?: string
  new_password?: string
  confirm_password?: string
  /** The fields of factors. */
  [field: string]: unknown
}

/** Nothing, or what shows who made the account, or a new password. */
export function verifyBody({ factors }: Pick<FeatureCore, 'factors'>): TObject & { static: VerifyBody } {
  const alone = factors.filter(({ aloneRoute }) => aloneRoute !== undefined)
  const fields = Object.fromEntries(alone.map(({ field, schema }) => [field, schema]))
  return withOptional(passwordOrNew, fields) as TObject & { static: VerifyBody }
}

interface VerifyInput extends Pick<Input<object, 'anyone-known'>, 'who' | 'client'> {
  body: VerifyBody
  params: LinkParams
}

/**
 * Verifies as the body of a POST says: with what was set when the account was made, with a new password, or, without
 * either, in the browser in which it was made. Only clients that don't ask for a page may do without any of them, unless
 * somebody has signed up there for an account of their own.
 */
export async function verifyByBody(input: VerifyInput, deps: FeatureCore): Promise<StoredUser> {
  const { body, params, client } = input
  const { confirm_password: confirmPassword, ...proofs } = body
  const [field, ...more] = Object.keys(proofs)
  if (more.length > 0) throw invalidInput(...more.map((name) => fieldError(name, 'invalid')))
  const { new_password: newPassword } = proofs
  if (confirmPassword !== undefined && newPassword === undefined)
    throw invalidInput(fieldError('new_password', 'required'))

  if (field === undefined) return verifyPlainly(input, deps)
  if (newPassword !== undefined) {
    const pair = { password: newPassword, confirmPassword }
    const isMaker = isMakersBrowser(deps, client, input.who)
    const done = await verifyAnew(deps, deps.pending.devices, client, isMaker, params, { pair })
    noteNewPassword(deps, client, done)
    return done.user
  }
  return verifyAsMaker(deps, params, proofIn(deps, proofs, field), (user) => ({
    client,
    device: deps.device.read(client, user, field === 'password' ? 'password' : undefined),
  }))
}

function proofIn({ factors }: FeatureCore, body: VerifyBody, field: string): MakerProof {
  const factor = factors.find((each) => each.field === field)
  return factor === undefined ? { password: body.password ?? '' } : { factor, value: body[field] }
}

async function verifyPlainly({ params, who, client }: VerifyInput, deps: FeatureCore): Promise<StoredUser> {
  const isMaker = isMakersBrowser(deps, client, who)
  const link = await deps.links.open('verify-email', params)
  const { user } = link
  const needsProof = client.prefersPage || isOfAnotherSignUp(deps, client)(user) || isInvited(user)
  // The page asks the maker of an account that nothing else opens for a password.
  const isDone = isMaker(user) && !(client.prefersPage && needsPassword(deps, user))
  if (needsProof && !user.isVerified && !isDone)
    throw invalidInput(fieldError(holdsPassword(user) ? 'password' : 'new_password', 'required'))
  return verifyUser(deps, client, link, isMaker)
}
