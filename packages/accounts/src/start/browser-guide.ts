import { Readable } from 'node:stream'
import type { FastifyRequest, onSendAsyncHookHandler } from 'fastify'
import { AccountsError } from '../errors.js'
import type { Feature, FeatureCore } from '../features/feature.js'
import type { AnyRequest } from '../http/input/any-request.js'
import { isNavigation } from '../http/navigation.js'
import type { FeaturePages } from '../http/page-route.js'
import { fail } from '../options/checks.js'
import type { ResolvedOptions } from '../options/resolve.js'
import { createRequestSlot } from '../request-slot.js'

/** The pages of a mount, and where they lead a browser that a guard refuses. */
export interface BrowserGuide {
  /** `null` until they are brought, and without a feature that has them. */
  readonly pages: FeaturePages | null
  /** The path of the site that a proxy removes from the URL; `''` if none does. */
  readonly outerPath: string
  /**
   * Has the feature that has pages make them, once the routes are known.
   * @throws Error with one line that names the option
   */
  bring(features: readonly Feature[], coreOf: (feature: Feature) => FeatureCore): void
  /** Where a browser that opens a page is led that is refused; `null` for other requests and other errors: they get the error. */
  entranceFor(error: unknown, request: Pick<FastifyRequest, 'raw' | 'url'>): string | null
  /** Notes that a guard refuses a request with this error, for `lead`. */
  noteRefusal(error: unknown, request: AnyRequest): void
  /**
   * Makes the response to a refused request of a browser the way to get in (303), whatever the app has made of the error: a hook
   * `onSend`. What the app responds with another status stays.
   */
  lead: onSendAsyncHookHandler
}

export function createBrowserGuide({
  auth,
  baseUrl,
}: Pick<ResolvedOptions, 'auth' | 'baseUrl'>): BrowserGuide {
  let pages: FeaturePages | null = null
  const refusals = createRequestSlot<{ to: string; status: number }>('refusal')
  const outerPath = new URL(baseUrl).pathname.replace(/\/$/, '')
  return {
    get pages() {
      return pages
    },
    outerPath,
    bring(features, coreOf) {
      const [bringer, another] = features.filter((feature) => feature.pages)
      if (bringer === undefined) return
      if (auth === false) fail('features', `has ${bringer.name}, which needs the option auth`)
      if (another) fail('features', `has pages of ${bringer.name} and of ${another.name}`)
      const facts = features.flatMap((feature): [string, object][] =>
        feature.pageFacts ? [[feature.name, feature.pageFacts(coreOf(feature))]] : [],
      )
      pages = bringer.pages?.(coreOf(bringer), new Map(facts)) ?? null
    },
    entranceFor(error, { raw, url }) {
      if (pages === null || !(error instanceof AccountsError)) return null
      return raw.method !== 'POST' && isNavigation(raw) ? pages.entrance(error, outerPath + url) : null
    },
    noteRefusal(error, request) {
      const to = this.entranceFor(error, request)
      if (to !== null) refusals.set(request, { to, status: (error as AccountsError).statusCode })
    },
    async lead(request, reply, payload) {
      const refusal = refusals.get(request)
      if (refusal === undefined || reply.statusCode !== refusal.status) return payload
      reply
        .code(303)
        .headers({ location: refusal.to, 'cache-control': 'no-store' })
        .removeHeader('content-type')
        .removeHeader('content-length')
      if (payload instanceof Readable) payload.destroy()
      return ''
    },
  }
}
