import { AccountsClientError, type CallError } from './error.js'
import { type ClientOptions, exchange, noTokens } from './exchange.js'
import type { Result } from './result.js'
import type { StoredTokens, TokenStorage } from './token-storage.js'
import { createTurns, patience, within } from './turns.js'
import type { Tokens } from './wire.js'

/** The options of a client whose logins give tokens. */
export type TokenService = ClientOptions & { tokens: TokenStorage }

export const keepsTokens = (service: ClientOptions): service is TokenService => !!service.tokens

/**
 * Makes a request with what is stored. Resolves to the reply, the token that the service refused, if it did, and the tokens
 * and the header Accounts-State that it sent.
 */
export type Attempt<Reply> = (
  stored: StoredTokens,
) => Promise<
  [
    reply: Reply,
    refused?: string | false | undefined,
    tokens?: Tokens | undefined,
    state?: string | null | undefined,
  ]
>

/**
 * The tokens of one storage. Another process or tab may use the same storage: what it saves counts as soon as this one reads
 * again, and is never overwritten with what this one read before.
 */
export interface TokenKeeper {
  /**
   * Makes a request with the token, refreshed if it is due, and once more if the service refuses it. Keeps the tokens and the
   * state that it brings.
   * @param isAlone whether no other may change tokens or state meanwhile
   * @param isForAny whether the token may have expired, as for a login: no refresh delays it
   * @throws AccountsClientError if a refresh or the storage fails, which ends no session
   */
  use<Reply>(
    service: ClientOptions,
    signal: AbortSignal | null | undefined,
    isAlone: boolean,
    attempt: Attempt<Reply>,
    isForAny?: boolean,
  ): Promise<Reply>
  /** Keeps the tokens of a login, and nothing of those before; `null`: none. */
  replace(tokens: Tokens | null): Promise<void>
}

/** Clients of one service share a keeper, so they refresh once and send the newest state. */
const keepers = new WeakMap<TokenStorage, TokenKeeper>()

export function keeperOf(storage: TokenStorage): TokenKeeper {
  const keeper = keepers.get(storage) ?? createKeeper(storage)
  keepers.set(storage, keeper)
  return keeper
}

/** How long a call waits for a refresh over its limit, in milliseconds; less than a turn may take. */
const longestWait = 20_000

/** Goes on evenly when somebody sets the device's clock, but in some systems stops while the device sleeps: hence both. */
const steadyClock = () => (globalThis.performance ?? Date).now()

function createKeeper(storage: TokenStorage): TokenKeeper {
  /** For whatever changes tokens or state, here or at the service. */
  const takeTurn = createTurns()
  /** As read or saved last. */
  let stored: StoredTokens | undefined
  /** When the token is due, by each clock. */
  let due = 0
  let steadyDue = 0
  /** Until then, by the steady clock, the service wants no refresh, as it said last: none is sent. */
  let refusal: CallError | undefined
  let until = 0

  function know(next: StoredTokens): StoredTokens {
    if (next.access !== stored?.access) {
      // The clock may have been wrong when this was stored.
      const left = Math.min((next.until ?? 0) - Date.now(), next.lifetime ?? 0)
      due = Date.now() + left
      steadyDue = steadyClock() + left
    }
    stored = next
    return next
  }

  const read = async () => know({ ...(await guarded('load', () => storage.load())) })

  /**
   * Saves a change, in a turn, because it reads before. What can't be saved hasn't happened: the service still takes the
   * refresh token before, as long as nobody has used the new access token.
   * @param tokens `null`: none any more; `undefined`: as they are
   * @param state `null` or `undefined`: as it is
   * @param sent when the request for them was sent: they may have been on the way for long
   * @param replaced the token in whose place they come. If it is no longer there, another process was faster, or somebody
   * else has logged in since
   */
  async function change(
    tokens: Tokens | null | undefined,
    state?: string | null,
    sent = Date.now(),
    replaced?: string,
  ): Promise<void> {
    const { state: before, ...login } = await read()
    if (replaced && replaced !== (login.refresh || login.access)) return
    const next: StoredTokens = {
      ...(tokens !== null && login),
      ...(tokens && loginOf(tokens, sent)),
      state: state ?? before,
    }
    await guarded('save', () => storage.save(next.access || next.state ? next : null))
    know(next)
  }

  /** Whether there is nothing to read and nothing to replace. @param refused `null` if any token will do */
  const isReady = (refused?: string | null) =>
    stored &&
    (refused === null ||
      !stored.access ||
      (stored.access !== refused && (!stored.refresh || (Date.now() < due && steadyClock() < steadyDue))))

  /** Sends the refresh token; over a limit once more, when the service says. The tokens stay meanwhile. */
  async function refreshed(
    service: ClientOptions,
    refresh_token: string | undefined,
    deadline = steadyClock() + longestWait,
  ): Promise<Result<{ tokens: Tokens }, 200>> {
    const left = until - steadyClock()
    if (refusal && left > 0) {
      // Others wait for this turn.
      if (until > deadline) throw refusal
      await new Promise((resolve) => setTimeout(resolve, left))
    }
    const { authPrefix = '', paths } = service
    const result = await exchange<{ tokens: Tokens }, 200>(
      service,
      'POST',
      authPrefix + (paths?.['tokens-refresh'] ?? '/tokens/refresh/'),
      { refresh_token },
      {},
    )
    if (result.ok || result.error.status !== 429 || !result.error.retryAfter) return result
    refusal = result.error
    // A wait that rounds to none would have no end.
    until = steadyClock() + Math.min(Math.max(result.error.retryAfter, 1) * 1000, 2 * patience)
    return refreshed(service, refresh_token, deadline)
  }

  /**
   * Refreshes the token if it is due or refused, unless that has happened for an earlier call or in another process.
   * Afterwards there is none if the session is over, or if nothing refreshes what was refused. No caller's signal stops it, because others wait for it as well, and the
   * service has advanced.
   */
  async function prepare(service: ClientOptions, refused?: string | null): Promise<void> {
    if (isReady(refused)) return
    await takeTurn(async () => {
      // Twice, in case the device sleeps until the new token is due.
      for (let round = 0; round < 2 && !isReady(refused); round++) {
        const { access, refresh: refresh_token } = await read()
        if (isReady(refused)) return
        if (!refresh_token) return change(null, null, 0, access)
        const sent = Date.now()
        const result = await refreshed(service, refresh_token)
        if (result.ok) {
          if (!result.data?.tokens) throw noTokens(200).error
          await change(result.data.tokens, null, sent, refresh_token)
        } else if (result.error.code !== 'ACCOUNTS_LOGIN_REQUIRED') throw result.error
        else await change(null, null, sent, refresh_token)
      }
    })
  }

  return {
    async use(service, signal, isAlone, attempt, isForAny) {
      const once = async (refused?: string | null) => {
        // Its parts have deadlines of their own, but others may come first.
        await within(prepare(service, refused), signal, 2 * patience)
        const run = async () => {
          const sent = Date.now()
          const brought = await attempt(stored ?? {})
          const [, , tokens, state] = brought
          const keep = () => change(tokens, state, sent)
          if (tokens || state != null) await (isAlone ? keep() : takeTurn(keep))
          return brought
        }
        return isAlone ? takeTurn(run, signal) : run()
      }
      const [reply, refused] = await once(isForAny ? null : undefined)
      return refused ? (await once(refused))[0] : reply
    },
    replace: (tokens) => takeTurn(() => change(tokens && asLogin(tokens))),
  }
}

/** Without a refresh token, the one of another login must not stay. */
export const asLogin = (tokens: Tokens): Tokens => ({ refresh_token: '', ...tokens })

/** A response may have an access token alone: then the refresh token stays. */
function loginOf(
  { access_token: access, refresh_token: refresh, expires_in }: Tokens,
  sent: number,
): StoredTokens {
  // Early, because a request takes a while; but a short-lived token is used as well.
  const lifetime = Math.max(expires_in - 10, expires_in / 2) * 1000
  return { access, ...(refresh !== undefined && { refresh }), until: sent + lifetime, lifetime }
}

/** Calls a function of the app. */
async function guarded<Value>(name: string, call: () => Promise<Value> | Value): Promise<Value> {
  try {
    return await within(Promise.resolve().then(call), null, patience)
  } catch (cause) {
    throw new AccountsClientError('STORAGE_FAILED', `tokens.${name}() failed.`, { cause })
  }
}
