import type { JsonValue, Outbox, PendingMessage, UserStore } from 'fastify-accounts'
import type { OperatedStore } from 'fastify-accounts/features'

/** An organization, to which people and programs belong. */
export interface Organization {
  /** Made by the package: `org_` and 22 URL-safe characters. Never used again. */
  id: string
  /** Unique, as in URLs: 2 to 63 lowercase letters, digits and `-`. It may change, and another organization may get it then. */
  slug: string
  /** At most 200 characters. */
  name: string
  /** The app's own fields. */
  fields: { [name: string]: JsonValue }
  /** To the millisecond. */
  createdAt: Date
  /** How many memberships it has, and how many of them are of owners: who writes memberships writes these as well. */
  members: number
  owners: number
  /** 1 at creation, plus one at each write of it or of a membership; for compare-and-swap. */
  version: number
}

/** That somebody belongs to an organization; one for each organization and user. */
export interface Membership {
  organizationId: string
  /** The id of a user or a service account. */
  userId: string
  /** Names of roles, at least one. */
  roles: readonly string[]
  /** To the millisecond. */
  since: Date
  /** The invitation accepted last; `null` for none. */
  invitationId: string | null
}

/** By what a request names an organization. */
export type OrganizationKey = { readonly id: string } | { readonly slug: string }

/** What one compare-and-swap does to an organization and its memberships. */
export interface OrganizationWrite {
  organizationId: string
  /** Nothing happens if the organization has another one. */
  expectedVersion: number
  /** Absent and `undefined` leave a field alone. */
  changes?:
    | { [Field in 'slug' | 'name' | 'fields' | 'members' | 'owners']?: Organization[Field] | undefined }
    | undefined
  /** Memberships of this organization, that are added, or replace those of the same users. */
  put?: readonly Membership[] | undefined
  /** Ids of users whose memberships go, before others are put; those who have none are passed over. */
  remove?: readonly string[] | undefined
  /** Whether the organization goes, with all of its memberships, whatever else is written. Default `false`. */
  isDeletion?: boolean | undefined
}

/** Where a list goes on: after this one, which may be gone. */
export interface OrganizationListQuery {
  /** The most to return, from 1. */
  limit: number
  after?: Pick<Organization, 'createdAt' | 'id'> | undefined
}

export interface MemberListQuery {
  /** The most to return, from 1. */
  limit: number
  after?: Pick<Membership, 'since' | 'userId'> | undefined
}

export interface MembershipListQuery {
  /** The most to return, from 1. */
  limit: number
  after?: Pick<Membership, 'since' | 'organizationId'> | undefined
}

/**
 * Stores organizations and memberships. It has no rules but these: who may do what is decided before.
 *
 * - Records are copies, in both directions.
 * - A call sees what every acknowledged call wrote, in any process.
 * - A write happens as a whole or not at all, and with it the version of its organization grows by one. So what was decided about a
 *   version can't be written about another. `createdAt` and the id never change.
 * - Ids and slugs are well-formed texts without NUL; others are an `InvalidArgumentError`, as is a text that is too long to be kept.
 * - Nothing takes effect after `callDeadline()`, as with user stores: a call that begins later rejects with `UnavailableError`.
 * - Errors thrown: `InvalidArgumentError`, `UnavailableError`; any other error counts as `UnavailableError`.
 *
 * Its conformance suite is `organizationStoreCases` of `@fastify-accounts/testing/organizations`.
 */
export interface OrganizationStore extends OperatedStore {
  /**
   * Stores a new organization with the version 1, and its first memberships.
   * @param messages only given if there is an `outbox`: stored in it if and only if the organization is
   * @returns `false` if the slug is taken: then nothing is stored. Of simultaneous calls for one slug, one returns `true`
   * @throws InvalidArgumentError if the id is in use, or a membership is of another organization
   */
  create(
    organization: Omit<Organization, 'version'>,
    memberships: readonly Membership[],
    messages?: readonly PendingMessage[],
  ): Promise<boolean>

  /** `null` if there is none. Ids and slugs are only found by their exact spelling. */
  find(key: OrganizationKey): Promise<Organization | null>

  /**
   * What every guarded request asks: an organization, and the membership of a user there, `null` if they have none. `null` if there
   * is no such organization. What both say was true at one moment.
   */
  findFor(
    key: OrganizationKey,
    userId: string,
  ): Promise<{ organization: Organization; membership: Membership | null } | null>

  /** One page of organizations, by `createdAt` and `id`, the oldest first. Ids may be compared in any fixed way. */
  list(query: OrganizationListQuery): Promise<Organization[]>

  /** One page of the memberships of an organization, by `since` and `userId`, the oldest first. */
  listMembers(organizationId: string, query: MemberListQuery): Promise<Membership[]>

  /** One page of the memberships of a user, with their organizations, by `since` and `organizationId`, the oldest first. */
  listOfUser(
    userId: string,
    query: MembershipListQuery,
  ): Promise<{ organization: Organization; membership: Membership }[]>

  /** How many memberships a user has. */
  countOfUser(userId: string): Promise<number>

  /**
   * Compare-and-swap of one or several organizations: all writes happen, or none. Of simultaneous writes with one version, one
   * happens.
   * @param writes at least one, of different organizations
   * @param messages only given if there is an `outbox`: stored in it if and only if the writes happen
   * @returns `changed` if an organization is gone or has another version, `slug_taken` if another has a slug that is written, even
   * if it gives it up in the same call; either if both are true
   * @throws InvalidArgumentError if a membership is of another organization
   */
  write(
    writes: readonly OrganizationWrite[],
    messages?: readonly PendingMessage[],
  ): Promise<'written' | 'changed' | 'slug_taken'>

  /**
   * Only used if it is the very outbox of the user store that the plugin was given: events are then stored with what they tell of.
   * Default: it is written first, then its events.
   */
  readonly outbox?: Outbox | undefined

  /**
   * For stores in the database of the users: a user goes together with their memberships. Only used if `users` is the very user
   * store that the plugin was given. Default: the memberships go first, then the user.
   */
  readonly withUsers?:
    | {
        readonly users: UserStore
        /**
         * Deletes a user as `UserStore.delete` does, with its parameters, and does the writes: all of it, or nothing.
         * @returns `changed` as `write`; `none` if the user store would have returned `false`
         */
        delete(
          writes: readonly OrganizationWrite[],
          ...deletion: Parameters<UserStore['delete']>
        ): Promise<'written' | 'changed' | 'none'>
      }
    | undefined
}
