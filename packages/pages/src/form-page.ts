import { AccountsError, type FieldError } from 'fastify-accounts'
import type { PageRoute, PageVisit } from 'fastify-accounts/features'
import { entranceOf } from './entrance-of.js'
import type { Flash } from './flash.js'
import { ownName } from './own-name.js'
import { refusalText } from './refusal-text.js'
import { withoutSecrets } from './secrets.js'
import { showing } from './showing.js'
import type { Site } from './site.js'
import type { Typed } from './typed.js'
import type { View } from './view.js'
import { visitorOf } from './visitor.js'

/** A form as it is shown: empty, or again after a fault. */
export interface FormState {
  /** What was typed, for the fields that may show it: never a secret. */
  typed: Typed
  faults: readonly FieldError[]
  /** Why the form was refused, if no field is at fault. */
  refusal: AccountsError | null
}

/** What follows a form: 303 there, with a message that is shown once. */
export interface Outcome {
  to: string
  /** Default: none. A text is good news. */
  notice?: string | Flash['notice']
  /** Whether the account is gone, so its former owner reads the message as a stranger. Default `false`. */
  isGone?: boolean
}

/** A page with a form: GET shows it, POST does what it says, or shows it again. */
export interface FormPage
  extends Pick<PageRoute, 'path' | 'access' | 'accessFor' | 'isOpenToEnroll' | 'budget'> {
  /** Whether it only leads to another page, for which what was typed there is kept. Default `false`. */
  isEntrance?: boolean
  /** The form, with what it shows read anew. `null` leads elsewhere: a path. */
  view(visit: PageVisit, state: FormState): Promise<View | Elsewhere> | View | Elsewhere
  /**
   * Does it, by `visit.perform`. An AccountsError with fields shows the form again; one without a login or a recent one leads
   * there and back, with what was typed; any other shows the form with its text.
   */
  act(visit: PageVisit, typed: Typed): Promise<Outcome | View> | Outcome | View
}

/** Another page, instead of this one. */
export interface Elsewhere {
  elsewhere: string
  /** Default: the message of the form before. */
  notice?: Flash['notice']
}

/** The hidden field that names whose page a form was. */
export const byField = 'by'

/** Makes the page of a form. */
export function formPage(site: Site, page: FormPage): PageRoute {
  const { view, act, isEntrance = false, ...route } = page

  /** Leaves a message for the next page, and what was typed into a form that this page leads back to. */
  function leave(
    { client, who }: Pick<PageVisit, 'client' | 'who'>,
    notice: Flash['notice'],
    draft: Flash['draft'],
  ): void {
    const flash = {
      ...(notice && { notice, ...(who && { noticeFor: who.user.id }) }),
      ...(isEntrance && draft && { draft }),
    }
    if (Object.keys(flash).length > 0) site.flashes.write(client, flash)
  }

  async function again(visit: PageVisit, state: FormState, status: number) {
    const shown = await view(visit, state)
    const { refusal } = state
    if ('elsewhere' in shown) {
      const why = refusal === null ? undefined : { tone: 'info' as const, text: refusal.message }
      leave(visit, shown.notice ?? why, site.flashes.take(visit).draft)
      return { redirect: shown.elsewhere }
    }
    const text = refusal && refusalText(site, visit, refusal, isEntrance)
    const notice = shown.notice ?? (text === null ? undefined : { tone: 'fault' as const, text })
    return showing(site, visit, { ...shown, faults: state.faults, notice, status }, {})
  }
  return {
    ...route,
    async show(visit) {
      const flash = site.flashes.take(visit)
      const { draft } = flash
      const isTheirs = draft !== undefined && draft.path === placeOf(visit) && draft.by === visit.who?.user.id
      const shown = await view(visit, { typed: isTheirs ? draft.values : {}, faults: [], refusal: null })
      if ('elsewhere' in shown) {
        // Its message is for the page that is shown.
        leave(visit, shown.notice ?? flash.notice, draft)
        return { redirect: shown.elsewhere }
      }
      leave(visit, undefined, draft)
      return showing(site, visit, shown, flash)
    },
    async submit(visit) {
      const typed = typedIn(visit.body)
      if (isOfAnother(visit, typed)) return toItsPage(site, visit, typed)
      try {
        const outcome = await act(visit, typed)
        if (!('to' in outcome)) return showing(site, visit, outcome, {})
        const { notice, isGone } = outcome
        const message = typeof notice === 'string' ? { tone: 'good' as const, text: notice } : notice
        const reader = isGone ? { ...visit, who: null } : visit
        if (message) leave(reader, message, site.flashes.take(visit).draft)
        return { redirect: outcome.to }
      } catch (error) {
        if (!isRefusal(error)) throw error
        const values = withoutSecrets(typed)
        const entrance = error instanceof AccountsError ? entranceOf(site, error, visit.url) : null
        if (entrance !== null) {
          if (!isEntrance)
            site.flashes.write(visit.client, {
              draft: { path: placeOf(visit), by: typed[byField] ?? '', values },
            })
          return { redirect: entrance }
        }
        const { required } = visit.client.language.texts.fields
        const faults = faultsOf(error).map((fault) =>
          isMissing(fault, typed) ? { ...fault, code: 'required' as const, message: required } : fault,
        )
        const refusal = faults.length > 0 ? null : (error as AccountsError)
        return again(visit, { typed: values, faults, refusal }, error.statusCode)
      }
    },
  }
}

/** Somebody else has logged in in this browser since the form was shown: it isn't for their account. */
const isOfAnother = ({ who }: PageVisit, typed: Typed): boolean =>
  who !== null && typed[byField] !== undefined && typed[byField] !== who.user.id

/** The page of the form, for who is logged in now: what was typed is there, and nothing is done. */
function toItsPage(site: Site, visit: PageVisit, typed: Typed): { redirect: string } {
  const user = visitorOf(visit)
  const { language } = visit.client
  const name = ownName(site, user, language)
  const text = language.say(language.texts.pages.frame.other_account, { name })
  const draft = { path: placeOf(visit), by: user.id, values: withoutSecrets(typed) }
  site.flashes.write(visit.client, { notice: { tone: 'info', text }, noticeFor: user.id, draft })
  return { redirect: visit.url }
}

/** A path with parameters is the page of each of its values. */
const placeOf = ({ url }: PageVisit): string => url.replace(/\?.*/s, '')

/** An error that is made for people: ours, or that of a rule of the app. */
export function isRefusal(error: unknown): error is AccountsError {
  return (
    error instanceof Error && Number((error as Partial<AccountsError>).statusCode) < 600 && 'toJSON' in error
  )
}

/** A taken username is a fault of its field. No form has a password twice. */
function faultsOf({ code, fields, message }: AccountsError): readonly FieldError[] {
  if (code === 'ACCOUNTS_USERNAME_TAKEN') return [{ field: 'username', code: 'invalid', message }]
  if (code === 'ACCOUNTS_EMAIL_TAKEN') return [{ field: 'email', code: 'invalid', message }]
  return fields?.filter(({ field }) => field !== 'confirm_password') ?? []
}

/** A value that is only invalid because there is none. */
const isMissing = ({ field, code }: FieldError, typed: Typed): boolean =>
  code === 'invalid' && typed[field] === ''

/** Fields whose value is one text. */
function typedIn(body: PageVisit['body']): Typed {
  return Object.fromEntries(
    Object.entries(body).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
  )
}
