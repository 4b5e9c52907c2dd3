import type { FeatureOperations } from 'fastify-accounts'
import type { PageVisit } from 'fastify-accounts/features'

type Outcome<Id extends keyof FeatureOperations> = Awaited<ReturnType<FeatureOperations[Id]>>

/** What an operation of the core responds. */
export type BodyOf<Id extends keyof FeatureOperations> =
  Outcome<Id> extends { body: infer Body } ? Body : never

/** Reads by an operation of the core. */
export async function readOf<Id extends keyof FeatureOperations>(
  visit: PageVisit,
  id: Id,
): Promise<BodyOf<Id>> {
  return (await visit.perform(id)).body as BodyOf<Id>
}

/** Of the package of passkeys. */
export interface ListedPasskey {
  id: string
  credential_id: string
  name: string
  use: 'login' | 'factor'
  created_at: string
  last_used_at: string | null
  synced: boolean
}

export async function passkeysOf(visit: PageVisit): Promise<{
  results: ListedPasskey[]
  removed: BodyOf<'showFactors'>['removed']
}> {
  return (await visit.perform('listPasskeys')).body as Awaited<ReturnType<typeof passkeysOf>>
}

/** Of the package of providers. */
export interface ListedIdentity {
  id: string
  provider: string | null
  label: string | null
  created_at: string | null
  last_used_at: string | null
}

export async function identitiesOf(visit: PageVisit): Promise<ListedIdentity[]> {
  return ((await visit.perform('listIdentities')).body as { results: ListedIdentity[] }).results
}
