import { randomBytes } from 'node:crypto'
import type { UserFields } from 'fastify-accounts'
import { type Client, type FeatureCore, openSealed, seal } from 'fastify-accounts/features'
import type { AppReturn } from './app-return.js'
import type { Checks } from './issuer.js'

/** The time a user has at the provider, in milliseconds. */
const flowLifetime = 10 * 60_000

/** The maximum number of open flows per browser: one per tab. */
const mostFlows = 5

/** The maximum number that a response drops, since proxies refuse a long response head. */
const mostDropped = 5

/** The data of a flow while the browser is at the provider. */
export interface Flow extends Checks {
  provider: string
  /** Where the browser goes afterwards. */
  next: string
  /** Whether the session outlives the browser. */
  remember: boolean
  purpose: 'log-in' | 'link' | 'confirm'
  /** The login that an identity is linked to or confirms; `null` for a login. */
  login: string | null
  /** What it carries for a sign-up, by `signUp.fields`. */
  transient?: UserFields
  /** The app it goes back to, if it began in one. */
  app?: AppReturn
  /** When it began. */
  begin: number
  /** When it expires. */
  end: number
}

/**
 * Flows are kept in the browser that began them, each in its own sealed cookie, under its `state`. So nothing is
 * written for an unfinished flow, and each tab has its own.
 */
export interface Flows {
  make(
    beginning: Pick<
      Flow,
      'provider' | 'next' | 'remember' | 'purpose' | 'login' | 'redirectUri' | 'app' | 'transient'
    >,
  ): Flow
  /** Stores a flow in the browser. The oldest are dropped if there are too many, up to five at a time. */
  keep(client: Client, flow: Flow): void
  /** The unexpired flow of this `state` that this browser began; it is removed from the browser. */
  take(client: Client, state: unknown): Flow | null
}

const random = (): string => randomBytes(32).toString('base64url')

/** @param keys the first seals, all open */
export function createFlows(
  { cookie, options }: Pick<FeatureCore, 'cookie' | 'options'>,
  keys: readonly [Buffer, ...Buffer[]],
): Flows {
  const cookieOf = (state: string) => cookie(`flow-${state}`)
  const { cookieName } = options.session
  const names = new RegExp(`(?:^|;)\\s*(?:__Host-)?${escaped(cookieName)}-flow-([\\w-]{43})=`, 'g')

  function open(client: Client, state: string): Flow | null {
    const text = openSealed(keys, cookieOf(state).read(client) ?? '', state)
    const flow = text === null ? null : (JSON.parse(text) as Flow)
    return flow !== null && Date.now() < flow.end ? flow : null
  }

  return {
    make: (beginning) => ({
      ...beginning,
      state: random(),
      nonce: random(),
      verifier: random(),
      begin: Date.now(),
      end: Date.now() + flowLifetime,
    }),

    keep(client, flow) {
      const states = Array.from((client.cookies ?? '').matchAll(names), ([, state = '']) => state)
      // More than a browser can have from here are invented: reading each would cost the more, the more there are.
      const read = [...new Set(states)].slice(0, mostFlows - 1 + mostDropped)
      const opened = read.map((state) => ({ state, end: open(client, state)?.end ?? 0 }))
      const oldestLast = opened.sort((one, other) => other.end - one.end)
      for (const { state } of oldestLast.slice(mostFlows - 1)) cookieOf(state).clear(client)
      cookieOf(flow.state).write(client, seal(keys[0], JSON.stringify(flow), flow.state), flowLifetime / 1000)
    },

    take(client, state) {
      if (typeof state !== 'string' || !/^[\w-]{43}$/.test(state)) return null
      const flow = open(client, state)
      cookieOf(state).clear(client)
      return flow
    },
  }
}

const escaped = (text: string): string => text.replaceAll(/[^\w]/g, '\\$&')
