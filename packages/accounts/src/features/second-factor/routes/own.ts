import type { FastifyRequest } from 'fastify'
import { currentLogin, loggedInUser } from '../../../routes/access.js'
import type { Route } from '../../../routes/route.js'
import { lastGaveTwoFactors } from '../../../sessions/login.js'
import type { Enroller } from '../factors/setup.js'

/** Actions reserved to the owner, including users who must enroll. */
export const own: Pick<Route, 'access' | 'isOpenToEnroll' | 'budget'> = {
  access: 'confirmed',
  isOpenToEnroll: true,
  budget: null,
}

/** What the session continues after, for the log. */
export const factorAdded = 'a second factor was added'

/** The logged-in user, with what their session has proved. */
export const enrollerOf = (request: FastifyRequest): Enroller => ({
  user: loggedInUser(request),
  gaveTwoFactors: lastGaveTwoFactors(currentLogin(request)),
})
