import type { AccountsOptions } from '../index.js'

/** Whether an app has the feature `invitations()`. */
export function hasInvitations({ features = [] }: Pick<Partial<AccountsOptions>, 'features'>): boolean {
  return (features as readonly { name: string }[]).some(({ name }) => name === 'invitations')
}
