import type { FastifyReply, FastifyRequest } from 'fastify'
import { fieldError, invalidInput } from '../../../errors.js'
import { noteHandOver, noteReason } from '../../../http/audit.js'
import { isMakersBrowser } from '../../../http/maker.js'
import { wantsHtml } from '../../../http/negotiation.js'
import { inRequestLanguage } from '../../../http/request-language.js'
import type { LinkParams } from '../../../http/schemas/requests.js'
import { markDevice } from '../../../http/start-session.js'
import { whileThere } from '../../../http/while-there.js'
import { holdsPassword, type User } from '../../../user.js'
import type { FeatureCore } from '../../feature.js'
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

/**
 * Verifies as the body of a POST says: with what was set when the account was made, with a new password, or, without
 * either, in the browser in which it was made. Only clients that don't ask for a page may do without any of them.
 */
export async function verifyByBody(
  core: FeatureCore,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<User> {
  const { confirm_password: confirmPassword, ...given } = request.body as VerifyBody
  const [field, ...more] = Object.keys(given)
  if (more.length > 0) throw invalidInput(...more.map((name) => fieldError(name, 'invalid')))
  const { new_password: newPassword } = given
  if (confirmPassword !== undefined && newPassword === undefined)
    throw invalidInput(fieldError('new_password', 'required'))

  const deps = whileThere(inRequestLanguage(core, request), reply)
  const parts = request.params as LinkParams
  if (field === undefined) return verifyPlainly(core, request, parts)
  if (newPassword !== undefined) {
    const user = await verifyAnew(deps, core.pending.devices, parts, { newPassword, confirmPassword })
    if (user.lastLoginAt !== null) noteHandOver(request, user)
    // As after a reset.
    markDevice(core.device, request, reply, user, user.factors.length === 0 ? undefined : 'password')
    return user
  }
  return verifyAsMaker(deps, parts, proofIn(core, given, field), (user) => ({
    request,
    device: core.device.read(request, user, field === 'password' ? 'password' : undefined),
    note: (reason) => noteReason(request, reason),
  }))
}

function proofIn({ factors }: FeatureCore, given: VerifyBody, field: string): MakerProof {
  const factor = factors.find((each) => each.field === field)
  return factor === undefined ? { password: given.password ?? '' } : { factor, value: given[field] }
}

async function verifyPlainly(core: FeatureCore, request: FastifyRequest, parts: LinkParams): Promise<User> {
  const isMaker = isMakersBrowser(core, request)
  if (wantsHtml(request)) {
    const { user } = await core.links.open('verify-email', parts)
    if (!user.isVerified && !isMaker(user))
      throw invalidInput(fieldError(holdsPassword(user) ? 'password' : 'new_password', 'required'))
  }
  return verifyUser(core, parts, isMaker)
}
