import type { Route } from '../../../http/route.js'

/** Actions reserved to the owner, including users who must enroll. */
export const own: Pick<Route, 'access' | 'isOpenToEnroll' | 'budget'> = {
  access: 'owner',
  isOpenToEnroll: true,
  budget: null,
}

/** What the session continues after, for the log. */
export const factorAdded = 'a second factor was added'
