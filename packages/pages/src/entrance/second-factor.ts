import { AccountsError, type StoredUser } from 'fastify-accounts'
import { completing, type PageRoute, type PageVisit, waitingLogin } from 'fastify-accounts/features'
import { type FormState, formPage } from '../form-page.js'
import { type Html, html } from '../html.js'
import { submit } from '../parts/buttons.js'
import { checkbox } from '../parts/fields.js'
import { paragraph } from '../parts/notes.js'
import type { Site } from '../site.js'
import { secondFactorPasskey } from '../ways/passkey-parts.js'
import { codeField } from './code-field.js'
import { otherWays } from './other-ways.js'
import { landed, loggingIn, type Step, stepOf } from './step.js'

/** Completes a login by a second factor. */
export function secondFactorPage(site: Site): PageRoute {
  const { core } = site
  const path = '/login/second-factor/'
  return formPage(site, {
    path,
    access: 'anyone-known',
    isOpenToEnroll: true,
    isEntrance: true,
    async view(visit, state) {
      const { client, query, who } = visit
      const own = client.language.texts.pages.entrance_pages
      const step = stepOf(site, visit, 'password')
      const { waiting, user } = await waitingLogin(core, client)
      if (waiting === null)
        return who === null ? expired(site, visit, step) : { elsewhere: step.next ?? site.landing.in }
      const common = {
        ...{ page: 'login-second-factor', kind: 'link' as const, heading: own.second_heading },
        back: { to: site.pathOf('/login/', { next: step.next }), label: own.back_to_login },
      }
      const factors = usable(site, user)
      const factor = factors.find((each) => each === query.by) ?? factors[0]
      if (factor === undefined)
        return {
          ...common,
          main: paragraph(client.language.say(own.second_missing, { site: core.options.brand.name })),
        }
      const to = (by: string) => site.pathOf(path, { ...step, by })
      const others = factors.filter((each) => each !== factor)
      const passkey = factor === 'passkey' ? passkeyOf(site, visit, step) : null
      return {
        ...common,
        main: html`${passkey?.markup ?? codeForm(site, visit, state, { factor, to: to(factor) })}
${otherWays(
  client.language,
  others.map((each) => ({ way: each, to: to(each) })),
)}`,
        script: passkey?.script,
      }
    },
    async act(visit, { code = '', remember_device }) {
      const step = stepOf(site, visit, 'password')
      const isRemembered = remember_device === 'on' && offersDevice(site)
      const body = { code, ...(isRemembered && { remember_device: true }) }
      try {
        return await loggingIn(site, step, visit.perform('logInWithSecondFactor', { body }))
      } catch (error) {
        if (!(error instanceof AccountsError && error.code === 'ACCOUNTS_LOGIN_EXPIRED')) throw error
        const { elsewhere: to, notice } = expired(site, visit, step)
        return { to, notice }
      }
    },
  })
}

/** Back to the beginning. */
function expired(site: Site, { client }: PageVisit, { next }: Step) {
  const { expired: text } = client.language.texts.pages.entrance_pages
  return { elsewhere: site.pathOf('/login/', { next }), notice: { tone: 'info' as const, text } }
}

/** Of what the account has, what is on here. An app may have turned a feature off since. */
function usable(site: Site, user: StoredUser): readonly string[] {
  if (!site.has('second-factor')) return []
  return completing(user).factors.filter((each) =>
    each === 'passkey' ? site.has('passkeys') : user.credentials.some(({ kind }) => kind === each),
  )
}

const offersDevice = ({ core }: Site): boolean => core.pending.devices.lifetime > 0

function passkeyOf(site: Site, { client }: PageVisit, step: Step): { markup: Html; script: string } {
  const { language } = client
  const own = language.texts.pages.entrance_pages
  const again = site.pathOf('/login/', { next: step.next })
  const part = secondFactorPasskey(site, { language, done: landed(site, step), again, kind: 'primary' })
  return {
    script: part.script,
    markup: html`<p>${own.use_passkey}</p>
<p class="hint" data-passkey-missing>${own.passkey_missing}</p>
${offersDevice(site) && checkbox({ name: 'remember_device', label: own.remember_device })}
${part.markup}`,
  }
}

function codeForm(
  site: Site,
  { client }: PageVisit,
  { typed, faults }: FormState,
  { factor, to }: { factor: string; to: string },
): Html {
  const own = client.language.texts.pages.entrance_pages
  return html`<form method="post" action="${to}">
${codeField(client.language, factor, faults)}
${offersDevice(site) && checkbox({ name: 'remember_device', label: own.remember_device, isChecked: typed.remember_device === 'on' })}
${submit(own.second_continue)}
</form>`
}
