// Written from the routes of the plugin: `npm run routes`.

import type { CallOptions, ClientOptions } from './exchange.js'
import { requestsTo } from './request.js'
import type { Result } from './result.js'
import type {
  AnyFields,
  Detail,
  InvitationList,
  InvitationRequest,
  Link,
  NewOwner,
  ValidInvitation,
} from './wire.js'

export { cursorOf } from './cursor.js'
export type {
  Detail,
  Invitation,
  InvitationList,
  InvitationRequest,
  Link,
  NewOwner,
  NewPassword,
  ValidInvitation,
} from './wire.js'

/** One method for each route, named like its operation in the OpenAPI document. docs/routes.md describes them. */
export interface InvitationsClient<Fields extends AnyFields = object> {
  /** GET /invitations/: list your own open invitations; for staff, all. The list ends when `next` is null. */
  listInvitations(
    query?: { cursor?: string },
    options?: CallOptions,
  ): Promise<Result<InvitationList<Fields>, 200>>
  /**
   * POST /invitations/: invite somebody. The response is the same whether or not the address has an account.
   * Requires a recent login.
   */
  invite(body: InvitationRequest<Fields>, options?: CallOptions): Promise<Result<Detail, 202>>
  /**
   * POST /invitations/{pk}/send/: send an invitation again, with a new link; the earlier one ends. Requires a
   * recent login.
   */
  resendInvitation(id: string, options?: CallOptions): Promise<Result<undefined, 204>>
  /** DELETE /invitations/{pk}: withdraw an invitation, whose link stops working at once. Requires a recent login. */
  withdrawInvitation(id: string, options?: CallOptions): Promise<Result<undefined, 204>>
  /** GET /invitation/{uid64}/{token}/: show the page that accepts an invitation, or tell what it gives. */
  checkInvitation(link: Link, options?: CallOptions): Promise<Result<ValidInvitation<Fields>, 200>>
  /**
   * POST /invitation/{uid64}/{token}/: accept an invitation with a new password, or logged in to the account of
   * its address.
   */
  acceptInvitation(link: Link, body: Partial<NewOwner>, options?: CallOptions): Promise<Result<Detail, 200>>
}

/** A client of one service. Takes the options of `createAccountsClient`. */
export function createInvitationsClient<Fields extends AnyFields = object>(
  options: ClientOptions = {},
): InvitationsClient<Fields> {
  const users = requestsTo(options, options.usersPrefix)
  return {
    listInvitations: (query, call) => users('GET', 'invitations /invitations/', call, undefined, {}, query),
    invite: (body, call) => users('POST', 'invitations /invitations/', call, body),
    resendInvitation: (id, call) =>
      users('POST', 'invitation-send /invitations/{pk}/send/', call, undefined, { pk: id }),
    withdrawInvitation: (id, call) =>
      users('DELETE', 'invitation-detail /invitations/{pk}', call, undefined, { pk: id }),
    checkInvitation: (link, call) =>
      users('GET', 'invitation /invitation/{uid64}/{token}/', call, undefined, link),
    acceptInvitation: (link, body, call) =>
      users('POST', 'invitation /invitation/{uid64}/{token}/', call, body, link),
  }
}
