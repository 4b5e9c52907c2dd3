import type { ClientOptions } from './client.js'
import type { CallOptions } from './exchange.js'
import { requestsTo } from './request.js'
import type { Result } from './result.js'
import type { AnyFields, Detail, Link, NewPassword } from './wire.js'

export { cursorOf } from './cursor.js'

/** The paths of the routes for invitations, by their names in GET /api-root/. */
export const defaultInvitationPaths = {
  invitations: '/invitations/',
  'invitation-send': '/invitations/{pk}/send/',
  'invitation-detail': '/invitations/{pk}',
  invitation: '/invitation/{uid64}/{token}/',
} as const

/** Whom to invite, and what they get. */
export interface InvitationRequest<Fields extends AnyFields = object> {
  email: string
  fields?: Partial<Fields>
  /** From those who may grant them. */
  roles?: string[]
}

/** An open invitation. Times are RFC 3339 in UTC. */
export interface Invitation<Fields extends AnyFields = object> {
  /** For `resendInvitation` and `withdrawInvitation`. */
  id: string
  email: string
  fields: Partial<Fields>
  /** Absent if the service has no roles. */
  roles?: string[]
  invited_at: string
  expires_at: string
}

/** What a valid link is about. */
export interface ValidInvitation {
  valid: boolean
  email: string
  /** Whether a username must be chosen. */
  username_required: boolean
}

/** What accepts an invitation. */
export interface Acceptance extends NewPassword {
  /** Not if the service has no names. */
  username?: string
}

/** As for `createAccountsClient`; `paths` may include the routes for invitations as well. */
export type InvitationsClientOptions = Omit<ClientOptions, 'paths'> & {
  paths?: { readonly [name: string]: string | undefined }
}

/** One method for each route, named like its operation in the OpenAPI document. */
export interface InvitationsClient<Fields extends AnyFields = object> {
  /** POST /invitations/. Requires a recent login. The result doesn't tell whether the address has an account. */
  invite(body: InvitationRequest<Fields>, call?: CallOptions): Promise<Result<Detail, 202>>
  /** GET /invitations/: open ones, fifty a page or fewer. `cursor` is that of the URL in `next`. */
  listInvitations(
    query?: { cursor?: string },
    call?: CallOptions,
  ): Promise<Result<{ results: Invitation<Fields>[]; next: string | null }, 200>>
  /** POST /invitations/{pk}/send/: with a new link; the earlier one ends. Requires a recent login. */
  resendInvitation(pk: string, call?: CallOptions): Promise<Result<undefined, 204>>
  /** DELETE /invitations/{pk}: its link stops working at once. Requires a recent login. */
  withdrawInvitation(pk: string, call?: CallOptions): Promise<Result<undefined, 204>>
  /** GET /invitation/{uid64}/{token}/ */
  checkInvitation(link: Link, call?: CallOptions): Promise<Result<ValidInvitation, 200>>
  /** POST /invitation/{uid64}/{token}/: the account is theirs. Nobody is logged in. */
  acceptInvitation(link: Link, body: Acceptance, call?: CallOptions): Promise<Result<Detail, 200>>
}

/** A client for the invitations of one service. */
export function createInvitationsClient<Fields extends AnyFields = object>(
  options: InvitationsClientOptions = {},
): InvitationsClient<Fields> {
  const users = requestsTo(options, defaultInvitationPaths, options.usersPrefix)

  return {
    invite: (body, call) => users('POST', 'invitations', call, body),
    listInvitations: (query = {}, call) => users('GET', 'invitations', call, undefined, {}, query),
    resendInvitation: (pk, call) => users('POST', 'invitation-send', call, undefined, { pk }),
    withdrawInvitation: (pk, call) => users('DELETE', 'invitation-detail', call, undefined, { pk }),
    checkInvitation: (link, call) => users('GET', 'invitation', call, undefined, link),
    acceptInvitation: (link, body, call) => users('POST', 'invitation', call, body, link),
  }
}
