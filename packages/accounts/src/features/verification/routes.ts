import { emailBody } from '../../http/input/schemas.js'
import { detailReply } from '../../http/output/schemas.js'
import { type Route, route } from '../../http/route.js'
import type { FeatureCore } from '../feature.js'
import { resendVerification } from './resend-verification.js'
import { verifyRoutes } from './routes/ways.js'

/** Each variant of creation has its own routes, with their own names. */
const operationIds = {
  user: { verify: 'verifyUser', resend: 'resendUserVerification' },
  signup: { verify: 'verifySignup', resend: 'resendSignupVerification' },
}

type Variant = keyof typeof operationIds

/** The link in the email to a new account, and the request for another one. */
export function verificationRoutes(core: FeatureCore): Route[] {
  const { users } = core.options
  if (users === false) return []
  const { variant, verifyLinks } = users
  const variants = variant === 'both' ? (['user', 'signup'] as const) : [variant]
  return variants.flatMap((each) => [
    ...verifyRoutes(core, each, operationIds[each].verify, verifyLinks),
    resendRoute(each),
  ])
}

function resendRoute(variant: Variant): Route {
  return route({
    name: `${variant}-verify-resend`,
    action: 'verify-resend',
    method: 'POST',
    path: `/${variant}/v/`,
    operation: {
      id: operationIds[variant].resend,
      host: 'request',
      summary: 'Send the verification link again',
    },
    access: 'anyone',
    budget: 'resend',
    schema: { body: emailBody, response: { 202: detailReply } },
    async handle({ body, client }, deps) {
      const user = await resendVerification(deps, client, body, variant)
      client.note(user === null ? { user, reason: 'ACCOUNTS_NOT_FOUND' } : { user })
      return { status: 202, message: 'resend' }
    },
  })
}
