import type { FastifyRequest } from 'fastify'
import { knownLogin, loggedInUser } from '../../../routes/access.js'
import type { Route } from '../../../routes/route.js'
import { lastGaveTwoFactors } from '../../../sessions/login.js'
import type { Enroller } from '../factors/setup.js'

/** What only the owner may do, and who must enroll too. */
export const own: Pick<Route, 'access' | 'isOpenToEnroll' | 'budget'> = {
  access: 'confirmed',
  isOpenToEnroll: true,
  budget: null,
}

/** After what the session goes on, for the log. */
export const factorAdded = 'a second factor was added'

/** Whoever is logged in, by what their session has proved. */
export const enrollerOf = (request: FastifyRequest): Enroller => ({
  user: loggedInUser(request),
  gaveTwoFactors: lastGaveTwoFactors(knownLogin(request) ?? { methods: null }),
})
