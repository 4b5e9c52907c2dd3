import { AccountsError } from 'fastify-accounts'
import type { Client, FeatureCore, Result } from 'fastify-accounts/features'
import type { Flow } from './flow.js'

/**
 * Leads a browser back to where a flow began if its user has canceled at the provider, in an app with pages: they say so there.
 * @throws whatever else the work throws
 */
export async function backIfCanceled(
  { features }: Pick<FeatureCore, 'features'>,
  client: Client,
  { next }: Pick<Flow, 'next'>,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const isCanceled = error instanceof AccountsError && error.reason === 'canceled'
    if (!isCanceled || !features.has('pages') || !client.prefersPage) throw error
    client.note({ reason: error.code })
    const url = new URL(next)
    url.searchParams.set('canceled', '')
    return { status: 303, location: url.href }
  }
}
