import type { ResolvedOptions } from '../options/resolve.js'

/**
 * Where the emails of the option `ownEmails` wait. Each realm gets a fair share of the deliveries, so a thousand
 * newsletters don't delay a reset link.
 */
export const ownRealm = (realm: string): string => `${realm}:mails`

/** The realms of a mount's emails. Without the option `ownEmails` there is one, so nothing is asked about the other. */
export const mailRealms = ({
  decorateAs: { instance },
  ownEmails,
}: Pick<ResolvedOptions, 'decorateAs' | 'ownEmails'>): readonly string[] =>
  Object.keys(ownEmails).length === 0 ? [instance] : [instance, ownRealm(instance)]
