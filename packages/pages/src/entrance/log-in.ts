import { AccountsError } from 'fastify-accounts'
import type { PageRoute, PageVisit } from 'fastify-accounts/features'
import { formPage, type Outcome } from '../form-page.js'
import type { Site } from '../site.js'
import type { Typed } from '../typed.js'
import { alreadyIn } from './already-in.js'
import { codePath, requestCode } from './code-step.js'
import { sendConfirmation } from './confirmation-link.js'
import { keepWay } from './last-way.js'
import { logInForm } from './log-in-form.js'
import { logInNotice } from './log-in-notice.js'
import { loggingIn, secondStep, stepOf } from './step.js'

/** Logs in with a name and a password, or leads to the other ways. Every login lands here before it goes on. */
export function logInPage(site: Site): PageRoute {
  return formPage(site, {
    path: '/login/',
    access: 'anyone-known',
    isOpenToEnroll: true,
    isEntrance: true,
    view(visit, state) {
      const { query, who, client } = visit
      const next = site.nextOf(query.next)
      const isShownFirst = state.refusal === null && state.faults.length === 0
      if (isShownFirst) {
        const step = stepOf(site, { query: { ...query, way: query.in } }, 'password')
        // Back from a provider.
        if (query.second_factor !== undefined) return { elsewhere: secondStep(site, step) }
        if (who !== null && query.in !== undefined) {
          keepWay(site, client, query.in)
          const kept = site.returns.take(client)
          return { elsewhere: next ?? kept ?? site.landing.in }
        }
        if (who !== null) return alreadyIn(site, visit, who.user, next)
      }
      const { brand } = site.core.options
      const { say, texts } = client.language
      const { main, script } = logInForm(site, visit, state, next)
      return {
        ...{ page: 'login', kind: 'form' as const, main, script },
        heading: say(texts.pages.entrance_pages.log_in_to, { site: brand.name }),
        notice: logInNotice(site, visit, state, next),
      }
    },
    act: (visit, typed) => act(site, visit, typed),
  })
}

/** Does what the button says. */
async function act(site: Site, visit: PageVisit, typed: Typed): Promise<Outcome> {
  const { username = '', password = '', remember, way, email } = typed
  const next = site.nextOf(visit.query.next)
  if (email !== undefined) return sendConfirmation(site, visit, email, next)
  const remembers = remember === 'on'
  if (way === 'email-code') return codeFor(site, visit, { email: username, remember: remembers, next })
  const body = { username, password, ...(remembers && { remember: true }) }
  return loggingIn(site, { next, way: 'password' }, visit.perform('logIn', { body }))
}

/** With what is no address, the page of codes asks for one. */
async function codeFor(
  site: Site,
  visit: PageVisit,
  typed: { email: string; remember: boolean; next: string | null },
): Promise<Outcome> {
  const step = { ...typed, sentAt: null }
  try {
    const { to } = await requestCode(site, visit, step)
    return { to }
  } catch (error) {
    if (!(error instanceof AccountsError && error.code === 'ACCOUNTS_INVALID_INPUT')) throw error
    const email = step.email.includes('@') ? step.email : null
    return { to: codePath(site, { ...step, email }) }
  }
}
