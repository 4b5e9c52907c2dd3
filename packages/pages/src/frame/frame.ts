import type { Client, Frame, PageTheme } from 'fastify-accounts/features'
import { html, trusted } from '../html.js'
import { withKinds } from '../links/core-buttons.js'
import { problemContent } from '../links/problem.js'
import { besideNotice } from '../parts/beside-notice.js'
import { linkButton } from '../parts/buttons.js'
import type { Site } from '../site.js'
import { documentOf } from './document.js'
import { policyOf } from './policy.js'

/** Draws the pages of links and errors as those of this package. */
export function createFrame(site: Site): Frame {
  return {
    logInPath: site.pathOf('/login/'),
    repeatsPasswords: false,
    page(theme, { heading, main, faults, onward }) {
      const { pages } = theme.language.texts
      const go =
        onward === undefined
          ? null
          : onward === 'app'
            ? linkButton(theme.language.say(pages.onward, { site: theme.brand.name }), site.landing.in)
            : linkButton(pages.frame.log_in, site.pathOf('/login/', { next: onward.next }))
      const view = {
        ...{ page: 'link', kind: 'link' as const, heading },
        main: html`${trusted(withKinds(main, go !== null))}${go}`,
        ...(faults !== undefined && { faults }),
        ...(theme.visitor && { notice: besideNotice(site, theme.language, theme.visitor) }),
      }
      return documentOf(site, theme, view, { user: null, url: '' })
    },
    policy: (script = '') => policyOf(site, { kind: 'link', script }),
    problem: (theme, problem, texts) => problemContent(site, theme, problem, texts),
    keep(client: Client, make, theme: PageTheme) {
      const kept = { heading: '', main: '', logIn: false, isBeside: false }
      const frame: Frame = {
        ...createFrame(site),
        page({ visitor }, { heading, main, onward }) {
          Object.assign(kept, { heading, main, logIn: typeof onward === 'object', isBeside: visitor != null })
          return ''
        },
      }
      make({ ...theme, frame })
      site.flashes.write(client, { done: kept })
      return site.pathOf('/done/')
    },
  }
}
