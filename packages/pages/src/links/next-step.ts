import type { PageContent, PageTheme } from 'fastify-accounts/features'
import { type Html, html, nothing } from '../html.js'
import { type ButtonKind, linkButton } from '../parts/buttons.js'
import type { Site } from '../site.js'
import { type Renewable, renewalForm } from './renewal.js'

/** What somebody does next where something has ended. */
export type NextStep =
  | 'app'
  | 'log-in'
  | 'start-again'
  | 'reset'
  | 'change-address'
  /** Emails a new link. */
  | { renew: Renewable; email: string }
  | { to: string; label: string }

/** What a page says that ends something. */
export interface Ending {
  heading: string
  body: string
  next: NextStep
  /** Another way. Default: none. */
  otherwise?: NextStep | undefined
}

/** A page that says what has happened, with the next step as its one primary button. */
export function endingContent(
  site: Site,
  theme: PageTheme,
  { heading, body, next, otherwise }: Ending,
): PageContent {
  const main = html`<p>${body}</p>
${buttonOf(site, theme, next, 'primary')}
${otherwise === undefined ? nothing : buttonOf(site, theme, otherwise, 'quiet')}`
  return { heading, main: main.toString() }
}

function buttonOf(site: Site, theme: PageTheme, step: NextStep, kind: ButtonKind): Html {
  const { say, texts } = theme.language
  const { frame, link_pages: own, onward } = texts.pages
  if (typeof step === 'object') {
    if ('renew' in step) return renewalForm(site, step, own.renew)
    return linkButton(step.label, step.to, kind)
  }
  const [label, to] = {
    app: [say(onward, { site: theme.brand.name }), site.landing.in],
    'log-in': [frame.log_in, site.pathOf('/login/')],
    'start-again': [own.start_again, site.pathOf('/login/')],
    reset: [own.reset, site.pathOf('/forgot/')],
    'change-address': [own.change_address, site.pathOf('/account/email/')],
  }[step] as [string, string]
  return linkButton(label, to, kind)
}
