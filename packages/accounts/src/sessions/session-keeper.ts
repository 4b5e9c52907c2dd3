import pRetry from 'p-retry'
import { logTrouble } from '../adapters/log-trouble.js'
import { AccountsError } from '../errors.js'
import type { Session, SessionChanges } from '../seams/session-store.js'
import type { User } from '../user.js'
import { attemptChange } from './attempt-change.js'
import { claimTo, rowIdOf } from './claim.js'
import type { Client } from './client.js'
import type { DeviceCookie } from './device-cookie.js'
import { firstState, stateOf, updateOf } from './generations.js'
import { createNextStep, type NextStep, type Step } from './next-step.js'
import { createSessionCap } from './session-cap.js'
import type { ContinueEffect, LoginEffect, Reproof, SessionEffect } from './session-effect.js'
import type { SessionList } from './session-list.js'
import { broughtClaim, findClaimed, kindFor, limitsOf, refuse, type SessionParts } from './session-parts.js'
import { expiryOf, newLogin } from './session-rules.js'
import type { SpendOnce } from './single-use.js'

/** Makes, continues and ends sessions. The reader tells who is logged in. */
export interface SessionKeeper {
  /**
   * Plans what a change of a user does to the rows of their sessions.
   * @param user as the change leaves them
   * @throws AccountsError ACCOUNTS_LOGIN_REQUIRED for a login with an API key: a program is nobody who logs in
   */
  plan(effect: SessionEffect, user: User): Promise<SessionPlan>
  /**
   * Carries a plan out once the user is written, and gives the client what was stored. Only a login throws: any other change
   * has succeeded.
   * @param written what became of the plan's rows, if they were written together with the user
   */
  carryOut(plan: SessionPlan, user: User, written?: WrittenRows): Promise<void>
  /**
   * Continues the client's session, confirmed (OWASP ASVS 5.0, 7.2.4): what the client has had ends soon. The user's other
   * sessions stay.
   * @param proof how the owner has just proved who they are, in addition to before; and the user as of then
   * @returns `false` if a logout ended the session meanwhile
   * @throws AccountsError ACCOUNTS_CONFLICT if others keep changing the session; ACCOUNTS_CONFIRMATION_REQUIRED if somebody
   * who has stolen an access token could have proved the same
   */
  confirm(client: Client, proof: Reproof & { user: User }): Promise<boolean>
  /**
   * Ends the client's session, and clears the cookie even if the store fails.
   * @returns whose session it was; `null` if none was ended
   */
  end(client: Client): Promise<{ id: string } | null>
  /** Clears the cookie of a session that a change of the user has ended. Never throws. */
  forget(client: Client): Promise<void>
  /** Deletes the rows of a user's sessions, which the epoch or the deletion has already ended. Never throws. */
  removeAll(userId: string): Promise<void>
  /** Absent where sessions can't be listed or ended one by one. */
  readonly list?: SessionList
  /** Absent where nothing could keep what has been used. */
  readonly spendOnce?: SpendOnce
}

/** What is to be done for an effect. */
interface SessionPlan {
  effect: SessionEffect
  /** What a store does that writes users and sessions at once; absent if it does nothing, or the host keeps the sessions. */
  rows?: SessionChanges | undefined
  /** The login that begins. */
  login?: { base: string; session: Session } | undefined
  /** How the client's session goes on. */
  step?: Outcome | undefined
}

type Outcome = Awaited<ReturnType<NextStep>>

/** As `UpdateWithSessions` returns it. */
type WrittenRows = { isChanged: boolean; count: number | undefined }

/** The keeper for sessions in our session store. */
export function createSessionKeeper(
  parts: SessionParts & {
    /** A new random id. */
    makeBase(): Promise<string>
    device: DeviceCookie
  },
): SessionKeeper {
  const { sessions, makeBase, cookie, tokens, device, log } = parts
  const capSessions = createSessionCap(parts)
  const nextStep = createNextStep(parts)

  function deliver(client: Client, { claim, after, end }: Pick<Step, 'claim' | 'after' | 'end'>): void {
    const { spelling } = tokens ?? {}
    if (after.kind === 'cookie' || spelling === undefined) cookie.write(client, claim, after)
    else client.deliver(end === null ? spelling.issue(claim, after) : spelling.issueUntil(end, claim))
  }

  async function makeLogin({ client, how, remember }: LoginEffect, user: User) {
    if (client.bearer !== null && client.bearer.kind !== 'access') refuse(client)
    const kind = kindFor(parts, client)
    const isPersistent = kind === 'token' || remember
    const login = newLogin(user, how, { ...client.details, isPersistent })
    const name = kind === 'token' ? client.sessionName : null
    const base = await makeBase()
    const expiresAt = expiryOf(login, limitsOf(parts, kind))
    return { base, session: { ...firstState, ...login, kind, name, id: rowIdOf({ base }), expiresAt } }
  }

  /** @param planned the first attempt, made already */
  function goOn(
    client: Client,
    user: User,
    proof: Reproof,
    others: SessionEffect['others'],
    planned?: Step,
  ): Promise<Outcome> {
    let first = planned
    return attemptChange(async () => {
      const step = first ?? (await nextStep(client, user, proof, others))
      first = undefined
      if (!isStep(step)) return step
      const { id, from, changes } = swapOf(step)
      const isChanged = await sessions.change(id, from, changes)
      if (!isChanged) return undefined
      deliver(client, step)
      return step
    })
  }

  async function removeAll(userId: string, exceptId?: string): Promise<void> {
    await sessions.deleteByUser(userId, exceptId).catch((error) => {
      logTrouble(
        log,
        error,
        'accounts: ended sessions could not be deleted; their rows stay until they expire',
      )
    })
  }

  /** Ends the session that the client has, under any claim of its epoch, even an access token that has expired. */
  async function endBrought(client: Client): Promise<Session | null> {
    const { bearer } = client
    const claim =
      bearer?.kind === 'access' ? tokens?.spelling.readAccess(bearer.text) : broughtClaim(parts, client)
    const session = await findClaimed(parts, kindFor(parts, client), claim ?? null)
    return session !== null && (await sessions.delete(session.id)) ? session : null
  }

  async function begin(
    { client, how }: LoginEffect,
    user: User,
    { base, session }: NonNullable<SessionPlan['login']>,
    written: WrittenRows | undefined,
  ): Promise<void> {
    const { count } = written ?? { count: await sessions.create(session) }
    try {
      client.checkReach()
      await endBrought(client)
      // A stream of the host may have sent the headers meanwhile.
      client.checkReach()
    } catch (error) {
      // Nobody has its claim, so deleting its row isn't worth waiting for a store that hangs.
      sessions.delete(session.id).catch(() => {})
      throw error
    }
    deliver(client, { claim: claimTo(base, session), after: session, end: null })
    await capSessions(user.id, count)
    // If only the host vouches, the owner wasn't there to make this device known.
    if (how.confirmedAt !== null) device.write(client, user)
  }

  async function goOnAfter(
    { client, others, ...proof }: ContinueEffect,
    user: User,
    planned: Outcome,
    written: WrittenRows | undefined,
  ): Promise<void> {
    try {
      let outcome = planned
      if (isStep(planned) && written?.isChanged) deliver(client, planned)
      // Written separately, or somebody else has changed the session meanwhile.
      else if (isStep(planned))
        outcome = await goOn(client, user, proof, others, written ? undefined : planned)
      const step = isStep(outcome) ? outcome : null
      if (others === 'end' && written === undefined) await removeAll(user.id, step?.after.id)
      if (others === 'end' && step === null) await keeper.forget(client)
      if (step?.end === null) device.write(client, user)
    } catch (error) {
      logTrouble(client.log, error, 'accounts: the session could not go on after a change of the account')
      if (others === 'end') await keeper.forget(client)
    }
  }

  const keeper: SessionKeeper = {
    async plan(effect, user) {
      const deleteOthers = effect.others === 'end'
      if (effect.client === undefined) return { effect, rows: deleteOthers ? { deleteOthers } : undefined }
      if (effect.own === 'begin') {
        const login = await makeLogin(effect, user)
        return { effect, login, rows: { create: login.session } }
      }
      if (!deleteOthers && effect.methods.length === 0) return { effect }
      const step = await nextStep(effect.client, user, effect, effect.others)
      if (!isStep(step)) return { effect, step, rows: deleteOthers ? { deleteOthers } : undefined }
      return { effect, step, rows: { change: swapOf(step), deleteOthers } }
    },

    async carryOut({ effect, login, step = null }, user, written) {
      if (effect.own === 'continue') await goOnAfter(effect, user, step, written)
      else if (effect.client !== undefined && login !== undefined) await begin(effect, user, login, written)
      else if (effect.own === 'end' && written === undefined) await removeAll(user.id)
    },

    async confirm(client, { user, ...proof }) {
      const step = await goOn(client, user, proof, 'keep')
      if (step === 'kept') throw new AccountsError('ACCOUNTS_CONFIRMATION_REQUIRED', { reason: 'just_added' })
      return step !== null
    },

    async end(client) {
      await keeper.forget(client)
      try {
        const session = await endBrought(client)
        return session && { id: session.userId }
      } catch (error) {
        // The user wants to be logged out, so the session must not outlive the outage.
        pRetry(() => endBrought(client), { retries: 8, unref: true }).catch((reason) => {
          logTrouble(log, reason, 'accounts: a session could not be ended')
        })
        throw error
      }
    },

    async forget(client) {
      const isByCookie = kindFor(parts, client) === 'cookie'
      if (isByCookie && client.cookies?.includes(`${cookie.name}=`)) cookie.clear(client)
    },

    removeAll: (userId) => removeAll(userId),
  }
  return keeper
}

function isStep(outcome: Outcome): outcome is Step {
  return outcome !== null && outcome !== 'kept'
}

function swapOf({ before, after }: Step): NonNullable<SessionChanges['change']> {
  return { id: before.id, from: stateOf(before), changes: updateOf(before, after) ?? {} }
}
