import { type PageTheme, shownName, type User } from 'fastify-accounts/features'
import type { Site } from './site.js'

/** What somebody reads who they are logged in as. An account may have neither a username nor an address. */
export const ownName = (
  { core }: Pick<Site, 'core'>,
  user: Pick<User, 'username' | 'email'>,
  { texts }: PageTheme['language'],
): string => shownName(core.options, user) ?? user.email ?? texts.pages.frame.account
