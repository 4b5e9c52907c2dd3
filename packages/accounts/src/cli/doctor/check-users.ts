import { addressNameFaults, typedAddress } from '../../identifiers/address-name.js'
import type { ListingUserStore } from '../../index.js'
import { unknownRoles } from '../../options/privileges.js'
import { createVault } from '../../tokens/vault.js'
import type { Credential } from '../../user.js'
import { hasOldKey } from '../commands/rekey.js'
import { counted } from '../counted.js'
import type { Project } from '../project.js'
import { userPages } from '../user-pages.js'
import { attempt, type Finding } from './finding.js'
import { addressCheck } from './stored-addresses.js'

/** The most ids that are listed. */
const listedUsers = 10

/**
 * Whether a username is an address that its account doesn't have, and a role one that the app doesn't: imports and other
 * code may store such names. Whether addresses are stored as emails are sent to them. And whether values are sealed with
 * another secret than the newest.
 */
export async function checkUsers(store: ListingUserStore, { source, options }: Project): Promise<Finding[]> {
  const roles = new Map<string, number>()
  const found: string[] = []
  let count = 0
  let owned = 0
  let outdated = 0
  const seals = { older: 0, missing: 0 }
  const sealOf = sealsOf(options.secret)
  const addresses = addressCheck(store)
  const others: Finding[] = []
  const finding = await attempt('usernames', async () => {
    for await (const page of userPages(store)) {
      for (const user of page) addresses.see(user)
      outdated += page.filter(hasOldKey).length
      for (const seal of page.map(({ credentials }) => sealOf(credentials))) if (seal) seals[seal] += 1
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
    others.push(...(await addresses.findings()))
    return "none is another user's address"
  })
  if (outdated > 0)
    others.push({
      what: 'usernames',
      state: 'warning',
      detail: `${counted(outdated, 'was', 'were')} stored by an earlier version, and can't be used to log in: run npx fastify-accounts rekey`,
    })
  others.push(...oldSeals(seals))
  // A database alone doesn't reveal the app's roles.
  if (source !== 'DATABASE_URL') others.push(...strayRoles(roles))
  if (count === 0) return [finding, ...others]
  const who = counted(count, 'is an address', 'are addresses')
  const ids = `${found.join(', ')}${count > found.length ? ', …' : ''}`
  const detail = `${who} that the account does not have, ${owned} of them another account's: ids ${ids}; change the username, or set that address`
  return [{ ...finding, state: finding.state === 'failed' ? 'failed' : 'warning', detail }, ...others]
}

type Seal = 'older' | 'missing'

/** Whether an account has values sealed with an older secret, or with one that isn't listed. */
function sealsOf(secret: Project['options']['secret']): (credentials: readonly Credential[]) => Seal | null {
  if (secret === undefined) return () => null
  const vault = createVault([secret].flat())
  return (credentials) => {
    try {
      return vault.reseal(credentials) === null ? null : 'older'
    } catch {
      return 'missing'
    }
  }
}

function oldSeals({ older, missing }: Record<Seal, number>): Finding[] {
  const has = (count: number) => counted(count, 'user has', 'users have')
  const findings: Finding[] = []
  if (older > 0) {
    const detail = `${has(older)} values sealed with an older one: run npx fastify-accounts reseal before you remove it`
    findings.push({ what: 'secret', state: 'warning', detail })
  }
  if (missing > 0) {
    const detail = `${has(missing)} values sealed with one that isn't listed, or altered: add it back, last in the list, and run npx fastify-accounts reseal`
    findings.push({ what: 'secret', state: 'failed', detail })
  }
  return findings
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
