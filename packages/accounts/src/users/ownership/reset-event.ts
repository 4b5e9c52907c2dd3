import type { Purpose } from '../../tokens/email-link.js'
import type { OwnershipEvent } from './table.js'

/** What choosing a password with such a link, or a mailed code, says about who owns the account. */
export function resetEventOf(purpose: Purpose, isMaker: boolean): OwnershipEvent {
  if (purpose === 'password-link') return 'password-vouched'
  return isMaker ? 'reset-by-maker' : 'proved-elsewhere'
}
