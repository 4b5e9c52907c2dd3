import { escapeHtml } from '../../pages/html.js'
import { buttonPage, endPage, withUsername } from '../../pages/layout.js'
import { fieldLines, type NewOwnerForm, newOwnerFields, newOwnerForm } from '../../pages/new-owner-fields.js'
import { formPage, otherFaults } from '../../pages/password-fields.js'
import type { PageTheme } from '../../pages/theme.js'
import type { Gift } from '../../users/invitations/invitation.js'

/** Who invites to what. */
export interface InvitationFacts {
  email: string
  /** What the account gets. */
  gift: Gift
  /** What it invites to besides an account; `null` if to nothing else. */
  to: { kind: string; name: string; roles: readonly string[] } | null
  /** The name of the inviter; `null` if they have none, or the app itself invites. */
  inviter: string | null
}

/** For somebody without an account that is proven to be theirs. */
export function invitationPage(
  theme: PageTheme,
  facts: InvitationFacts &
    Omit<NewOwnerForm, 'username'> & {
      /** HTML of each other way than a password, and their script. */
      otherWays: readonly string[]
      script: string
    },
): string {
  const { email, faults, otherWays, script } = facts
  const { create, otherwise, body } = theme.language.texts.pages.invitation
  return formPage(
    theme,
    headingOf(theme),
    `${introduction(theme, facts)}
<p>${withUsername(theme, body, null, email)}</p>
${otherFaults(faults, newOwnerFields(facts))}
${newOwnerForm(theme, { ...facts, username: email, button: create })}
${otherWays.join('\n')}
<p class="hint">${escapeHtml(otherwise)}</p>${script === '' ? '' : `\n<script type="module">${script}</script>`}`,
    faults,
  )
}

/** For somebody who is logged in to the account of the address. */
export function acceptPage(theme: PageTheme, facts: InvitationFacts): string {
  const { body_accept, button, otherwise } = theme.language.texts.pages.invitation
  return buttonPage(
    theme,
    { heading: headingOf(theme), button, otherwise },
    withUsername(theme, body_accept, null, facts.email),
    { above: introduction(theme, facts) },
  )
}

/**
 * For somebody who has to log in to the account of the address.
 * @param other the name of the account that they are logged in to; `null` if they aren't
 * @param next the path of the page itself
 */
export function logInPage(
  theme: PageTheme,
  facts: InvitationFacts,
  other: string | null,
  next: string,
): string {
  const { body_log_in, body_other } = theme.language.texts.pages.invitation
  const body = other === null ? body_log_in : body_other
  return endPage(
    theme,
    headingOf(theme),
    `${introduction(theme, facts)}
<p>${withUsername(theme, body, other, facts.email)}</p>`,
    { logIn: true, next },
  )
}

/** @param isIn whether the new account has been logged in to */
export function acceptedPage(theme: PageTheme, isIn: boolean): string {
  const { heading, body } = theme.language.texts.pages.invitation_accepted
  if (isIn) return endPage(theme, heading, '')
  return endPage(theme, heading, `<p>${escapeHtml(body)}</p>`, { logIn: true })
}

/** For an account that was there before. */
export function addedPage(theme: PageTheme): string {
  const { pages, responses } = theme.language.texts
  return endPage(theme, pages.invitation_accepted.heading, `<p>${escapeHtml(responses.invitation_added)}</p>`)
}

const headingOf = ({ brand, language: { say, texts } }: PageTheme): string =>
  say(texts.pages.invitation.heading, { site: brand.name })

function introduction(
  { language, brand }: PageTheme,
  { inviter, to, gift: { roles: own, fields } }: InvitationFacts,
): string {
  const { from, from_site, from_to, from_site_to, gives, roles: rolesText } = language.texts.pages.invitation
  const roles = to?.roles ?? own
  const sentences = to === null ? [from, from_site] : [from_to, from_site_to]
  const text = (inviter === null ? sentences[1] : sentences[0]) ?? ''
  const sentence = language.say(escapeHtml(text), {
    username: inviter && marked(inviter),
    name: to && marked(to.name),
    site: escapeHtml(brand.name),
  })
  const lines = [
    ...(roles.length > 0
      ? [`<li>${escapeHtml(language.say(rolesText, { roles: roles.join(', ') }))}</li>`]
      : []),
    ...(Object.keys(fields).length > 0 ? [fieldLines(fields)] : []),
  ]
  const list = lines.length === 0 ? '' : `<p>${escapeHtml(gives)}</p>\n<ul>\n${lines.join('\n')}\n</ul>`
  return `<p>${sentence}</p>\n${list}`
}

const marked = (name: string): string => `<strong><bdi>${escapeHtml(name)}</bdi></strong>`
