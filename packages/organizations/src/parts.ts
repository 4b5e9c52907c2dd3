import { setTimeout as sleep } from 'node:timers/promises'
import type { AccountUser, PendingEvents } from 'fastify-accounts'
import { type Deps, guard, guardCallback, type MountCore } from 'fastify-accounts/features'
import { type OrganizationsOptions, resolveSettings, type Settings } from './settings.js'
import { createMemoryOrganizationStore } from './store/memory-organization-store.js'
import type { OrganizationStore, OrganizationWrite } from './store/organization-store.js'
import { organizationStoreMethods, withUsersMethods } from './store/store-methods.js'

/** An organization store as operations use it: each call with a deadline. */
export type OrganizationCalls = Pick<
  OrganizationStore,
  keyof (typeof organizationStoreMethods)['required']
> & {
  /** Absent unless the store is in the database of the mount's users. */
  deleteWithUser?: NonNullable<OrganizationStore['withUsers']>['delete'] | undefined
}

/** What one mount has of the feature. */
export interface Parts {
  settings: Settings
  organizations: OrganizationCalls
  /** Whether the app's rule lets somebody create an organization. */
  mayCreate(user: AccountUser): Promise<boolean>
}

/** What its operations get: the deps of the request or call, and these. */
export type OrganizationDeps = Pick<
  Deps,
  'users' | 'invitations' | 'events' | 'links' | 'postOffice' | 'throttle' | 'options'
> &
  Parts

/** The parts of each mount. */
interface PartsOfMounts {
  /** Made at the first call, at start. */
  of(core: MountCore): Parts
  /** Those of a mount that has started. */
  started(core: { readonly options: object }): Parts
}

/**
 * The parts for each mount, made once.
 * @throws Error with one line that names the option
 */
export function createParts(options: OrganizationsOptions): PartsOfMounts {
  const settings = resolveSettings(options)
  const store = options.store ?? createMemoryOrganizationStore()
  const partsByMount = new WeakMap<object, Parts>()
  return {
    of(core) {
      const parts = partsByMount.get(core.options) ?? partsOf(core, settings, store)
      partsByMount.set(core.options, parts)
      return parts
    },
    started({ options }) {
      const parts = partsByMount.get(options)
      if (parts === undefined) throw new Error('@fastify-accounts/organizations: its mount has not started')
      return parts
    },
  }
}

function partsOf(core: MountCore, settings: Settings, store: OrganizationStore): Parts {
  const { adapterTimeout, userStore } = core.options
  const outage = core.watchOutages('the organization store')
  const guarded = guard<OrganizationStore, keyof (typeof organizationStoreMethods)['required']>(
    store,
    organizationStoreMethods.required,
    adapterTimeout,
    outage,
  )
  const storesMessages = store.outbox !== undefined && store.outbox === userStore?.outbox
  const withUsers =
    store.withUsers !== undefined && store.withUsers.users === userStore
      ? guard(store.withUsers, withUsersMethods.required, adapterTimeout, outage)
      : undefined
  const { createOrganization = () => true } = settings
  return {
    settings,
    organizations: {
      ...guarded,
      async create(organization, memberships, messages = []) {
        if (storesMessages || messages.length === 0)
          return guarded.create(organization, memberships, messages)
        const isCreated = await guarded.create(organization, memberships)
        if (isCreated) await tellAfter(core, messages as readonly PendingEvents[])
        return isCreated
      },
      async write(writes, messages = []) {
        if (storesMessages || messages.length === 0) return guarded.write(writes, messages)
        const outcome = await guarded.write(writes)
        if (outcome === 'written') await tellAfter(core, messages as readonly PendingEvents[])
        return outcome
      },
      deleteWithUser: withUsers?.delete,
    },
    mayCreate: guardCallback(
      'authorize.createOrganization of organizations',
      createOrganization,
      adapterTimeout,
      core.watchOutages('authorize.createOrganization of organizations'),
    ),
  }
}

/** What is written elsewhere than its events is done, whether or not they can be stored: the outage is logged. */
async function tellAfter(
  { events }: Pick<Deps, 'events'>,
  messages: readonly PendingEvents[],
): Promise<void> {
  await events.post(messages).catch(() => {})
}

/**
 * How often a change is attempted while others change the same organization. Many times: somebody who is to be removed may change it
 * as often as `changeOrganization` lets them.
 */
export const maxAttempts = 30

/** Waits before the next attempt, longer from one to the next: those who collided wait for different times. */
export const pauseAfter = (attempt: number): Promise<void> =>
  sleep(Math.random() * 10 * Math.min(attempt, 10))

/** A write of an organization as it was read. */
export const writeTo = (
  { id, version }: { id: string; version: number },
  write: Omit<OrganizationWrite, 'organizationId' | 'expectedVersion'>,
): OrganizationWrite => ({ organizationId: id, expectedVersion: version, ...write })
