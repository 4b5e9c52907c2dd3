import { parseEmail } from '../../identifiers/email.js'
import type { ListingUserStore, StoredUser } from '../../index.js'
import { counted } from '../counted.js'
import type { Finding } from './finding.js'

/** The most ids that are listed. */
const listedUsers = 10

/** Addresses without a key that are looked up; with more, the keys have yet to be filled. */
const mostLookups = 1000

const causes = {
  invalid: 'with an invalid address',
  altered: 'with white space around the address, or another Unicode form of it',
  outdated:
    'with the key of another address: set email_key to NULL, and run npx fastify-accounts adopt users --table <name> --fill',
  shared: 'with the address of another but for case and Unicode form',
  unfilled:
    'without the key of their address, which npx fastify-accounts adopt users --table <name> --fill gives them',
  nothing: 'with nothing that they are found by',
}
type Cause = keyof typeof causes

/** Users whom emails can't be sent to, or who aren't found by their address, as another program may have stored them. */
export function addressCheck(store: ListingUserStore) {
  const found = new Map<Cause, number>()
  const ids: string[] = []
  /** Users without the key of their address, by what it would be. */
  const keyless = new Map<string, string[]>()
  const add = (cause: Cause, id: string) => {
    found.set(cause, (found.get(cause) ?? 0) + 1)
    if (ids.length < listedUsers) ids.push(id)
  }

  async function causeOf(key: string, { length }: readonly string[]): Promise<Cause> {
    if (length > 1) return 'shared'
    const isLookedUp = keyless.size <= mostLookups
    return isLookedUp && (await store.findByEmail(key)) !== null ? 'shared' : 'unfilled'
  }

  return {
    see(user: StoredUser): void {
      const { id, email, emailKey, usernameKey, identityKeys, isActive } = user
      if (email === null || email === '') {
        // A disabled account may be the rest of one that was replaced.
        if (isActive && usernameKey === null && identityKeys.length === 0) add('nothing', id)
        return
      }
      const address = parseEmail(email)
      if (address === null) add('invalid', id)
      else if (address.email !== email) add('altered', id)
      else if (emailKey === null)
        keyless.set(address.emailKey, [...(keyless.get(address.emailKey) ?? []), id])
      else if (emailKey !== address.emailKey) add('outdated', id)
    },

    /** Once all have been seen. */
    async findings(): Promise<Finding[]> {
      for (const [key, users] of keyless) {
        const cause = await causeOf(key, users)
        for (const id of users) add(cause, id)
      }
      if (found.size === 0) return []
      const total = [...found.values()].reduce((sum, count) => sum + count, 0)
      const parts = [...found].map(([cause, count]) => `${count} ${causes[cause]}`)
      const who = counted(total, 'user gets no email or is', 'users get no email or are')
      const detail = `${who} not found by address: ${parts.join(', ')}: ids ${ids.join(', ')}${total > ids.length ? ', …' : ''}`
      return [{ what: 'addresses', state: 'warning', detail: detail.replaceAll(/\p{Cc}+/gu, ' ') }]
    },
  }
}
