import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { FeatureActions } from '../../feature-names.js'
import { sharedRequestSlot } from '../../request-slot.js'
import type { AuditNote } from '../../sessions/client.js'
import { addressOf } from '../../sessions/describe-client.js'
import { whoOf } from './access.js'

/** The name of an action over HTTP in the audit trail; a request with a wrong method has the action of its path. */
export type AuditAction = keyof FeatureActions

/** What only the app's own code does, without a route of the core that does the same. */
type HostAction =
  | 'set-password'
  | 'secure-user'
  | 'create-password-link'
  | 'list-identities'
  | 'link-identity'
  | 'remove-identity'

/**
 * The outcome of a request, or of a call of `app.accounts`: who, what, when, from where, and why not (OWASP ASVS 5.0,
 * 16.2.1 and 16.3). It contains no password, token, cookie or email address, and may say more than the response did.
 */
export interface AuditEvent {
  /** Of the request or the call; or `handed-over`, for what a request did in addition. */
  action: AuditAction | HostAction | 'handed-over'
  /** Distinguishes opening a link (`GET`, `HEAD`) from using it (`POST`). `null` for a call. */
  method: string | null
  /** `refused`: rejected, 4xx or a response that hides it. `failure`: an error of the service, 5xx. */
  outcome: 'success' | 'refused' | 'failure'
  /**
   * An error code, ours or Fastify's, or a feature's own reason; `HTTP_<status>` if a hook of your app responded; `null` on
   * success.
   */
  reason: string | null
  /** The account it is about, if any. */
  userId: string | null
  /** In `handed-over`, the account that `userId` replaces; absent if the account keeps its id, and in other events. */
  formerUserId?: string
  /** The logged-in user, if the route checked; `null` for a call. */
  actorId: string | null
  /** Only for calls of `app.accounts`: who acts and why, as your code says; `null` if it doesn't. */
  host?: { actor: string | null; reason: string | null }
  /** `request.ip` without a port; `null` over a Unix socket, if it isn't an address, and for a call. */
  ip: string | null
  /** `request.id`; `null` for a call. */
  requestId: string | null
  at: Date
}

/** Where the events go. */
export interface AuditTrail {
  /**
   * Whether anybody listens.
   * @param isRefusal whether to a refused request as well as to others
   */
  isHeard(isRefusal: boolean): boolean
  tell(event: AuditEvent): void
}

interface Note extends AuditNote {
  told?: boolean
}

const notes = sharedRequestSlot<Note>('note')

const noteOf = (request: FastifyRequest): Note => notes.getOrCreate(request, () => ({}))

/** Adds to what the trail says about a request. The first reason stays: it is the most precise. */
export function addNote(request: FastifyRequest, { reason, ...note }: AuditNote): void {
  Object.assign(noteOf(request), note)
  if (reason !== undefined) noteRefusal(request, reason)
}

/** Records why a request is refused, such as the code that the client gets; it doesn't replace an earlier reason. */
export function noteRefusal(request: FastifyRequest, code: string): void {
  noteOf(request).reason ??= code
}

/** Reports the outcome of each request of this scope once its response is being sent. */
export function setAudit(scope: FastifyInstance, trail: AuditTrail): void {
  scope.addHook('onSend', (request, { statusCode }, payload, done) => {
    const action = request.routeOptions.config.accounts?.action
    if (action !== undefined) tellOutcome(trail, action, request, statusCode)
    done(null, payload)
  })
}

/** Reports the outcome of a request, once. */
export function tellOutcome(
  { isHeard, tell }: AuditTrail,
  action: AuditAction,
  request: FastifyRequest,
  status: number,
): void {
  const note = noteOf(request)
  if (!isHeard(isRefused(status, note))) return
  // A response that fails while being sent comes here again.
  if (note.told) return
  note.told = true
  const event = eventOf(action, request, status, note)
  setImmediate(tell, event)
  // Also if the request failed afterwards: the account is somebody else's.
  const { handedOver, formerId } = note
  if (handedOver !== undefined) {
    const former = formerId === undefined ? {} : { formerUserId: formerId }
    const facts = { action: 'handed-over', outcome: 'success', reason: null, ...former } as const
    setImmediate(tell, { ...event, ...facts, userId: handedOver.id })
  }
}

const isRefused = (status: number, { reason }: Note): boolean => status >= 400 || reason !== undefined

function eventOf(action: AuditAction, request: FastifyRequest, statusCode: number, note: Note): AuditEvent {
  const { user, reason } = note
  const actorId = whoOf(request)?.user.id ?? null
  const refused = isRefused(statusCode, note)
  return {
    action,
    method: request.method,
    outcome: statusCode >= 500 ? 'failure' : refused ? 'refused' : 'success',
    reason: refused ? (reason ?? `HTTP_${statusCode}`) : null,
    userId: user?.id ?? actorId,
    actorId,
    ip: addressOf(request),
    requestId: request.id,
    at: new Date(),
  }
}
