import type { Route } from '../../http/route.js'
import type { MailKind } from '../../seams/mailer.js'
import type { FeatureCore, FeatureRoutes } from '../feature.js'
import type { Setup } from './factors/setup.js'
import { appRoutes } from './routes/apps.js'
import { factorRoutes, substituteRoutes } from './routes/factors.js'
import { loginRoute } from './routes/login.js'
import { resetFactorsRoute } from './routes/reset.js'

/** The second step of a login, and users' own factors; staff can remove them. */
export function secondFactorRoutes(core: FeatureCore, setup: Setup): FeatureRoutes {
  return {
    auth: [loginRoute(core), ...factorRoutes, ...appRoutes(setup), ...substituteRoutes],
    users: staffResetRoutes(core, 'factor-removed'),
  }
}

/** For staff, where they have routes for users. */
export function staffResetRoutes(
  { options: { users } }: Pick<FeatureCore, 'options'>,
  mail: MailKind,
): Route[] {
  return users === false || users.variant === 'signup' ? [] : [resetFactorsRoute(mail)]
}
