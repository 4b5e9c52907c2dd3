import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type FeatureCore, openSealed, seal } from 'fastify-accounts/features'
import type { Checks } from './issuer.js'

/** How long somebody may take at the provider, in milliseconds. */
export const flowLifetime = 10 * 60_000

/** So many flows a browser may have open: one a tab. */
const mostFlows = 5

/** What is remembered of a flow while the browser is at the provider. */
export interface Flow extends Checks {
  provider: string
  /** Where the browser goes afterwards. */
  next: string
  /** Whether the session outlives the browser. */
  remember: boolean
  purpose: 'log-in' | 'link' | 'confirm'
  /** The login that an identity is linked to, or confirms; `null` where somebody logs in. */
  login: string | null
  /** When it began. */
  begin: number
  /** When its time is up. */
  end: number
}

/**
 * Flows are kept in the browser that began them: each in a sealed cookie of its own, under its `state`. So nothing is
 * written for a flow that nobody finishes, and each tab has its own.
 */
export interface Flows {
  make(about: Pick<Flow, 'provider' | 'next' | 'remember' | 'purpose' | 'login' | 'redirectUri'>): Flow
  /** Has the browser keep a flow. The oldest ends where it has too many. */
  keep(request: FastifyRequest, reply: FastifyReply, flow: Flow): void
  /** The flow of this `state` that this browser began, and whose time is not up; the browser drops it. */
  take(request: FastifyRequest, reply: FastifyReply, state: unknown): Flow | null
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

  function open(request: FastifyRequest, state: string): Flow | null {
    const text = openSealed(keys, cookieOf(state).read(request) ?? '', state)
    const flow = text === null ? null : (JSON.parse(text) as Flow)
    return flow !== null && Date.now() < flow.end ? flow : null
  }

  const drop = (reply: FastifyReply, state: string): void => cookieOf(state).write(reply, '', 0)

  return {
    make: (about) => ({
      ...about,
      ...{ state: random(), nonce: random(), verifier: random() },
      ...{ begin: Date.now(), end: Date.now() + flowLifetime },
    }),

    keep(request, reply, flow) {
      const states = Array.from((request.headers.cookie ?? '').matchAll(names), ([, state = '']) => state)
      const opened = [...new Set(states)].map((state) => ({ state, end: open(request, state)?.end ?? 0 }))
      const oldestLast = opened.sort((one, other) => other.end - one.end)
      for (const { state } of oldestLast.slice(mostFlows - 1)) drop(reply, state)
      cookieOf(flow.state).write(reply, seal(keys[0], JSON.stringify(flow), flow.state), flowLifetime / 1000)
      return flow
    },

    take(request, reply, state) {
      if (typeof state !== 'string' || !/^[\w-]{43}$/.test(state)) return null
      const flow = open(request, state)
      if (cookieOf(state).read(request) !== undefined) drop(reply, state)
      return flow
    },
  }
}

const escaped = (text: string): string => text.replaceAll(/[^\w]/g, '\\$&')
