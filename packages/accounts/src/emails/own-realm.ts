import type { ResolvedOptions } from '../options/resolve.js'
import type { MessageQueue, PendingMail } from '../seams/outbox.js'

/**
 * Where the emails of the option `mails` wait. Each realm gets a fair share of the deliveries, so a thousand newsletters
 * don't delay a reset link.
 */
export const ownRealm = (realm: string): string => `${realm}:mails`

/** The realms of a mount's emails. Without the option `mails` there is one, so nothing is asked about the other. */
export const mailRealms = ({
  decorateAs: { instance },
  mails,
}: Pick<ResolvedOptions, 'decorateAs' | 'mails'>): readonly string[] =>
  Object.keys(mails).length === 0 ? [instance] : [instance, ownRealm(instance)]

/** How many emails wait in all of these realms. */
export async function waitingIn(
  outbox: Pick<MessageQueue<PendingMail>, 'count'>,
  realms: readonly string[],
): Promise<number> {
  const counts = await Promise.all(realms.map((realm) => outbox.count(realm)))
  return counts.reduce((sum, { waiting }) => sum + waiting, 0)
}
