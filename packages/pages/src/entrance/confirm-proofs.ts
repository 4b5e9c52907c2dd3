import type { PageVisit } from 'fastify-accounts/features'
import { confirming, holdsPassword, ownerRefusal, ownRecord } from 'fastify-accounts/features'
import { providersOf } from '../parts/provider-buttons.js'
import type { Site } from '../site.js'

type Who = NonNullable<PageVisit['who']>

/** What proves who changes how to log in; as in the `factors` of an error. */
const ownerProofs = ['passkey', 'email-code']

/** Of an error that led here, each once, as anybody can repeat them in a URL; `null` if none did. */
export function askedIn({ query }: Pick<PageVisit, 'query'>): readonly string[] | null {
  return typeof query.factors === 'string' && query.factors !== ''
    ? [...new Set(query.factors.split(','))]
    : null
}

/** Whether nothing is left to confirm. */
export async function isSettled(
  { core }: Site,
  who: Who,
  factors: readonly string[] | null,
): Promise<boolean> {
  if (!who.isConfirmed) return false
  const isForOwner = factors?.every((each) => ownerProofs.includes(each)) === true
  return !isForOwner || ownerRefusal(who.login, await core.ownerProofsOf(who.user)) === null
}

/**
 * What confirms that somebody is there, the first one first: those of `factors` in an error, `password`, and `with-` and the
 * name of a provider.
 */
export async function proofsOf(site: Site, visit: PageVisit, who: Who): Promise<readonly string[]> {
  const { core } = site
  const { user } = who
  const factors = askedIn(visit) ?? confirming(user).factors
  const isOn = (proof: string) =>
    proof === 'passkey'
      ? site.has('passkeys')
      : proof === 'email-code'
        ? hasCodes(site) && user.email !== null
        : proof === 'totp' || proof === 'recovery-code'
  if (factors !== undefined) return factors.filter(isOn)
  const { credentials } = await ownRecord(core, user)
  const owners = await core.ownerProofsOf(user)
  const hasPasskey = site.has('passkeys') && credentials.some(({ kind }) => kind === 'passkey')
  const hasAddress = user.isVerified && user.email !== null
  const isByCode = owners?.includes('email-code') ?? (!holdsPassword(user) && hasAddress)
  return [
    ...(holdsPassword(user) ? ['password'] : []),
    ...(hasPasskey ? ['passkey'] : []),
    ...(isByCode && hasCodes(site) ? ['email-code'] : []),
    ...(await linkedProviders(site, visit)),
  ]
}

const hasCodes = ({ core }: Site): boolean => core.confirmations.some(({ field }) => field === 'email_code')

/** The providers that the account is linked with. */
async function linkedProviders(site: Site, visit: PageVisit): Promise<string[]> {
  const all = providersOf(site)
  if (all.length === 0) return []
  const { body } = await visit.perform('listIdentities')
  const { results } = body as { results: readonly { provider: string | null }[] }
  return all
    .filter(({ name }) => results.some(({ provider }) => provider === name))
    .map(({ name }) => `with-${name}`)
}
