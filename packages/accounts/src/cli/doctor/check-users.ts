import { addressNameFaults, typedAddress } from '../../identifiers/address-name.js'
import type { ListingUserStore } from '../../index.js'
import { unknownRoles } from '../../options/privileges.js'
import { hasOldKey } from '../commands/rekey.js'
import { counted } from '../counted.js'
import type { Project } from '../project.js'
import { userPages } from '../user-pages.js'
import { attempt, type Finding } from './finding.js'

/** The most ids that are listed. */
const listedUsers = 10

/**
 * Whether a username is an address that its account doesn't have, and a role one that the app doesn't. Imports and other
 * code may store such names.
 */
export async function checkUsers(store: ListingUserStore, { source, options }: Project): Promise<Finding[]> {
  const roles = new Map<string, number>()
  const found: string[] = []
  let count = 0
  let owned = 0
  let outdated = 0
  const finding = await attempt('usernames', async () => {
    for await (const page of userPages(store)) {
      outdated += page.filter(hasOldKey).length
      for (const role of page.flatMap((user) => unknownRoles(user.roles, options)))
        roles.set(role, (roles.get(role) ?? 0) + 1)
      for (const { id, username, emailKey } of page) {
        if (username === null || addressNameFaults(username, emailKey).length === 0) continue
        count += 1
        const address = typedAddress(username)
        const owner = address === null ? null : await store.findByEmail(address)
        if (owner !== null && owner.id !== id) owned += 1
        if (found.length < listedUsers) found.push(id)
      }
    }
    return "none is another user's address"
  })
  const others: Finding[] =
    outdated === 0
      ? []
      : [
          {
            what: 'usernames',
            state: 'warning',
            detail: `${counted(outdated, 'was', 'were')} stored by an earlier version, and can't be used to log in: run npx fastify-accounts rekey`,
          },
        ]
  // A database alone doesn't reveal the app's roles.
  if (source !== 'DATABASE_URL') others.push(...strayRoles(roles))
  if (count === 0) return [finding, ...others]
  const who = counted(count, 'is an address', 'are addresses')
  const ids = `${found.join(', ')}${count > found.length ? ', …' : ''}`
  const detail = `${who} that the account does not have, ${owned} of them another account's: ids ${ids}; change the username, or set that address`
  return [{ ...finding, state: finding.state === 'failed' ? 'failed' : 'warning', detail }, ...others]
}

/** Roles that users have and the option `roles` doesn't. */
function strayRoles(counts: ReadonlyMap<string, number>): Finding[] {
  if (counts.size === 0) return []
  const names = [...counts]
    .slice(0, listedUsers)
    .map(([role, count]) => `${role} (${counted(count, 'user')})`)
  const detail = `not in the option roles, so they permit nothing: ${names.join(', ')}; users would regain them if it named them again`
  return [{ what: 'roles', state: 'warning', detail: detail.replaceAll(/\p{Cc}+/gu, ' ') }]
}
