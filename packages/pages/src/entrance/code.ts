import type { PageRoute, PageVisit } from 'fastify-accounts/features'
import { type FormState, formPage } from '../form-page.js'
import { type Html, html } from '../html.js'
import { submit } from '../parts/buttons.js'
import { checkbox, field } from '../parts/fields.js'
import { named } from '../parts/rows.js'
import { sendAgain } from '../parts/send-again.js'
import { withPart } from '../parts/with-part.js'
import type { Site } from '../site.js'
import { type CodeStep, codePath, codeStepOf, requestCode } from './code-step.js'
import { loggingIn } from './step.js'

/** Minutes that a code works. */
const lifetime = 10

/** Logs in with an emailed code: asks where to send it, then for the code. */
export function codePage(site: Site): PageRoute {
  const pathOf = (step: CodeStep) => codePath(site, step)
  return formPage(site, {
    path: '/login/code/',
    access: 'anyone-known',
    isOpenToEnroll: true,
    isEntrance: true,
    view(visit, state) {
      const { language } = visit.client
      const own = language.texts.pages.entrance_pages
      const step = codeStepOf(site, visit)
      const { email, sentAt, next } = step
      const { typed } = state
      const main =
        email === null || sentAt === null || typed.email !== undefined
          ? addressForm(visit, state, { ...step, to: pathOf({ ...step, sentAt: null }) })
          : codeForm(visit, state, {
              ...{ email, sentAt, remember: step.remember, to: pathOf(step) },
              change: pathOf({ ...step, sentAt: null }),
            })
      const isSent = sentAt !== null && typed.email === undefined
      return {
        ...{ page: 'login-code', kind: 'link', main },
        heading: isSent ? own.code_heading : own.email_code,
        back: { to: site.pathOf('/login/', { next }), label: own.back_to_login },
      }
    },
    async act(visit, { email, code = '', remember, again }) {
      const step = codeStepOf(site, visit)
      if (email !== undefined) {
        const { to } = await requestCode(site, visit, { ...step, email })
        return { to }
      }
      if (again !== undefined && step.email !== null)
        return requestCode(site, visit, { ...step, email: step.email })
      const body = { code, ...(remember === 'on' && { remember: true }) }
      const login = visit.perform('logInWithCode', { body })
      return loggingIn(site, { next: step.next, way: 'email-code' }, login)
    },
  })
}

function addressForm(
  { client }: PageVisit,
  { typed, faults }: FormState,
  { email, to }: CodeStep & { to: string },
): Html {
  const own = client.language.texts.pages.entrance_pages
  return html`<p>${own.code_for}</p>
<form method="post" action="${to}">
${field({ name: 'email', label: own.email, type: 'email', value: typed.email ?? email ?? undefined, autocomplete: 'email', hasFocus: true, faults })}
${submit(own.email_code)}
</form>`
}

function codeForm(
  { client }: PageVisit,
  { typed, faults, refusal }: FormState,
  facts: { email: string; sentAt: number; remember: boolean; to: string; change: string },
): Html {
  const { say, duration, texts } = client.language
  const own = texts.pages.entrance_pages
  const { email, sentAt, to, change } = facts
  const isTyped = refusal !== null || faults.length > 0
  const isTicked = isTyped ? typed.remember === 'on' : facts.remember
  return html`<p>${withPart(client.language, own.code_sent, 'email', named(email))} <a href="${change}">${own.change}</a></p>
<form method="post" action="${to}">
${field({ name: 'code', label: own.code, autocomplete: 'one-time-code', hint: say(own.code_hint, { time: duration(lifetime) }), hasFocus: true, faults })}
${checkbox({ name: 'remember', label: own.remember, isChecked: isTicked })}
${submit(own.log_in)}
</form>
${sendAgain({ label: own.send_again, to, sentAt })}`
}
