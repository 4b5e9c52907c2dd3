import type { FeatureCore } from 'fastify-accounts/features'
import { fail, type PagesOptions } from '../settings.js'
import type { LayoutParts } from './layout-parts.js'

/** The frame that the site draws around the pages. */
export interface Layout {
  /** A document; `null` if the site's function fails, which is logged once a minute. */
  draw(parts: LayoutParts): string | null
  /** The style sheets that it has in its documents, for their policy. */
  readonly styles: readonly string[]
}

const kinds: readonly LayoutParts['kind'][] = ['form', 'account', 'link']

/** Milliseconds between two lines about a layout that fails. */
const quiet = 60_000

/**
 * Draws a page of each kind to see whether `layout` is safe.
 * @returns `null` without that option
 * @throws Error with one line that names it
 */
export function createLayout(
  { layout }: Pick<PagesOptions, 'layout'>,
  core: Pick<FeatureCore, 'options' | 'warn'>,
): Layout | null {
  if (layout === undefined) return null
  if (typeof layout !== 'function') fail('layout', 'must be a function')
  const frames = kinds.map((kind) => frameOf(layout, kind, core.options.origin))
  let loggedAt = Number.NEGATIVE_INFINITY

  function failed(reason: string): null {
    const now = performance.now()
    if (now - loggedAt >= quiet) {
      loggedAt = now
      core.warn('ACCOUNTS_WARN_LAYOUT', `layout failed, so a page is in the plugin’s own frame: ${reason}`)
    }
    return null
  }
  return {
    styles: [...new Set(frames.flatMap(stylesIn))],
    draw(parts) {
      try {
        const drawn: unknown = layout(parts)
        return isWhole(drawn, parts) ? drawn : failed('head or main is missing in what it returned')
      } catch (error) {
        return failed(String(error))
      }
    },
  }
}

const isWhole = (drawn: unknown, { head, main }: LayoutParts): drawn is string =>
  typeof drawn === 'string' && drawn.includes(head) && drawn.includes(main)

/** What the layout itself adds to a page. */
function frameOf(
  layout: NonNullable<PagesOptions['layout']>,
  kind: LayoutParts['kind'],
  origin: string,
): string {
  const parts: LayoutParts = {
    ...{ kind, page: 'sample', title: 'Sample', language: 'en', direction: 'ltr', user: null },
    ...{ account: '', links: '', languages: '' },
    ...{ head: '<meta name="sample">', main: '<main data-page="sample"></main>' },
  }
  const drawn = drawnBy(layout, parts)
  if (!isWhole(drawn, parts))
    fail('layout', `must return a text with head and main in it, for the kind ${kind}`)
  const frame = drawn.replace(parts.head, '').replace(parts.main, '')
  const unsafe = kind === 'link' ? unsafeIn(frame, origin) : null
  if (unsafe !== null)
    fail('layout', `must have no ${unsafe} on pages of the kind link, which hold a token or code`)
  return frame
}

function drawnBy(layout: NonNullable<PagesOptions['layout']>, parts: LayoutParts): unknown {
  try {
    return layout(parts)
  } catch (error) {
    return fail('layout', `failed for the kind ${parts.kind}, without a user: ${String(error)}`)
  }
}

/** What could read a token, or send it elsewhere; `null` if nothing could. */
function unsafeIn(frame: string, origin: string): string | null {
  const found = [
    [/<script\b/i, 'script'],
    [/<[^>]*[\s"'/]on[a-z]+\s*=/i, 'event handler'],
    [/\b(?:href|src|action|formaction)\s*=\s*["']?\s*javascript:/i, 'javascript: URL'],
    [/<base\b/i, '<base>'],
    [/<meta\b[^>]*\bhttp-equiv\s*=\s*["']?refresh/i, '<meta http-equiv="refresh">'],
    [/<(?:iframe|object|embed|portal)\b/i, 'embedded page'],
  ] as const
  for (const [pattern, what] of found) if (pattern.test(frame)) return what
  const targets = [...frame.matchAll(/\b(?:form)?action\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/gi)]
  const isForeign = ([, ...texts]: RegExpMatchArray): boolean => {
    // One of them has matched.
    const target = texts.join('')
    return !URL.canParse(target, origin) || new URL(target, origin).origin !== origin
  }
  return targets.some(isForeign) ? 'form that sends elsewhere' : null
}

const stylesIn = (frame: string): string[] =>
  [...frame.matchAll(/<style\b[^>]*>([\s\S]*?)<\/style>/gi)].map(([, css = '']) => css)
