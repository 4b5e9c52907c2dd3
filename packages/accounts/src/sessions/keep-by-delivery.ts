import type { Client } from './client.js'
import type { SessionKeeper } from './session-keeper.js'
import type { SessionReader } from './session-reader.js'
import { refuse } from './token-reader.js'

/** Who is logged in, and what keeps their sessions. */
export interface Sessions {
  readSession: SessionReader
  keeper: SessionKeeper
}

/**
 * Reads and keeps the sessions of each client as it keeps them itself: as a cookie or as tokens.
 * @param tokens `null` if the mount has API keys, but no tokens: a key logs nobody in
 */
export function keepByDelivery(cookie: Sessions, tokens: Sessions | null): Sessions {
  const of = (client: Client): Sessions => (client.delivery === 'cookie' || tokens === null ? cookie : tokens)
  return {
    async readSession(client) {
      if (tokens === null && client.bearer !== null) refuse(client)
      return of(client).readSession(client)
    },
    keeper: {
      begin(client, ...args) {
        // A program with a key is nobody who logs in.
        if (client.bearer !== null && client.bearer.kind !== 'access') refuse(client)
        return of(client).keeper.begin(client, ...args)
      },
      continue: (client, ...args) => of(client).keeper.continue(client, ...args),
      confirm: (client, ...args) => of(client).keeper.confirm(client, ...args),
      end: (client) => of(client).keeper.end(client),
      forget: (client) => of(client).keeper.forget(client),
      removeAll: cookie.keeper.removeAll,
    },
  }
}
