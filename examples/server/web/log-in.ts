import { accounts, emailCode, passkeys, providers, secondFactor } from './client.js'
import { get, make } from './elements.js'
import { clear, onPasskey, onSubmit, show, tell } from './forms.js'
import { offerPasskeys } from './offer-passkeys.js'
import { focusFirst, offerFactors } from './second-step.js'

type Login = Awaited<ReturnType<typeof accounts.logIn>>

/** The forms of the page; one is shown at a time. */
const steps = ['log-in', 'ask-code', 'give-code', 'second-step'] as const
type Step = (typeof steps)[number]

const step = (id: Step): HTMLFormElement => get(`form#${id}`)

/** The login page. A second factor may be required after any first step. */
export function enableLogIn(): void {
  enableFirstStep(step('log-in'))
  enableCodes(step('ask-code'), step('give-code'))
  enableSecondStep(step('second-step'))
  for (const button of document.querySelectorAll('[data-starts-again]'))
    button.addEventListener('click', startAgain)
  // After a login with a provider that still requires the second factor.
  const owed = new URLSearchParams(location.search).get('second_factor')
  if (owed !== null) askForFactor(owed.split(','))
}

function enableFirstStep(form: HTMLFormElement): void {
  onSubmit(form, async ({ username = '', password = '', remember }) =>
    loggedIn(form, await accounts.logIn({ username, password, remember: remember === 'on' })),
  )
  if (form.querySelector('[data-passkey]') !== null) offerPasskeys(form, (result) => loggedIn(form, result))
}

/** @returns the result, unless it has been handled */
function loggedIn(form: HTMLFormElement, result: Login): Login | undefined {
  // The server redirects logged-in users to the page they came for.
  if (result.ok) location.reload()
  else if (result.error.code === 'ACCOUNTS_SECOND_FACTOR_REQUIRED') {
    askForFactor(result.error.factors)
    return
  } else if (result.error.code === 'ACCOUNTS_NOT_VERIFIED') {
    get('[role=alert]', form).replaceChildren(
      'Open the link in the email that we sent you first. ',
      make('a', { href: 'confirm-address' }, 'Send it again'),
    )
    return
  } else if (result.error.code === 'ACCOUNTS_INVALID_OR_NOT_VERIFIED') {
    get('[role=alert]', form).replaceChildren(`${result.error.message} `, confirmationButton(form))
    return
  }
  return result
}

/** A button that sends the confirmation email to the typed address again, or a link to the page that asks for one. */
function confirmationButton(form: HTMLFormElement): HTMLElement {
  const text = 'Send confirmation email'
  const email = form.querySelector<HTMLInputElement>('#username')?.value ?? ''
  if (!email.includes('@')) return make('a', { href: 'confirm-address' }, text)
  const button = make('button', { type: 'button', class: 'quiet' }, text)
  button.addEventListener('click', async () => {
    const result = await (form.dataset.creation === 'user'
      ? accounts.resendUserVerification({ email })
      : accounts.resendSignupVerification({ email }))
    clear(form)
    if (result.ok) tell(form, result.data.detail)
    else show(form, result.error)
  })
  return button
}

/** A code by email: asks for the address, then for the code. */
function enableCodes(asking: HTMLFormElement, giving: HTMLFormElement): void {
  let address = ''
  get('#by-code').addEventListener('click', () => {
    const { value } = get<HTMLInputElement>('#username')
    if (value.includes('@')) get<HTMLInputElement>('#code-email').value = value
    go('ask-code')
  })
  onSubmit(asking, async ({ email = '' }) => {
    const result = await emailCode.requestLoginCode({ email })
    if (!result.ok) return result
    address = email
    get('#code-address').textContent = email
    go('give-code')
    return
  })
  onSubmit(giving, async ({ code = '' }) => {
    const remember = get<HTMLInputElement>('#remember').checked
    return loggedIn(giving, await emailCode.logInWithCode({ code, remember }))
  })
  get('#code-again').addEventListener('click', async () => {
    const result = await emailCode.requestLoginCode({ email: address })
    if (!result.ok) return show(giving, result.error)
    get('#emailed-code').focus()
    tell(giving, 'We’ve sent a new code.')
  })
}

function enableSecondStep(form: HTMLFormElement): void {
  function done(result: Login): Login | undefined {
    if (result.ok) location.reload()
    else if (result.error.code === 'ACCOUNTS_LOGIN_EXPIRED') {
      startAgain()
      show(step('log-in'), result.error)
      return
    }
    return result
  }
  onSubmit(form, async ({ code = '', ...rest }) =>
    done(await secondFactor.logInWithSecondFactor({ code, ...rememberDevice(rest) })),
  )
  onPasskey(form, async (values) => done(await passkeys.logInWithSecondFactor(rememberDevice(values))))
}

function rememberDevice({ remember_device }: Readonly<Record<string, string>>): { remember_device: boolean } {
  return { remember_device: remember_device === 'on' }
}

function askForFactor(factors: readonly string[]): void {
  offerFactors(step('second-step'), factors)
  go('second-step')
}

function startAgain(): void {
  for (const id of steps) step(id).reset()
  go('log-in')
}

/** Switches to a step. */
function go(to: Step): void {
  // The message about an earlier event, such as a logout.
  document.querySelector('h1 + .done')?.remove()
  for (const id of steps) step(id).hidden = id !== to
  get('#asides').hidden = to !== 'log-in'
  get<HTMLInputElement>('#password').value = ''
  if (to === 'second-step') focusFirst(step(to))
  else get('input', step(to)).focus()
}

/** Buttons that start a login or signup with another provider. */
export function enableProviders(form: HTMLFormElement): void {
  for (const button of form.querySelectorAll<HTMLElement>('[data-provider]')) {
    button.addEventListener('click', async () => {
      // The login page redirects logged-in users, and asks for a required second factor.
      const next = new URL('log-in', location.href)
      const target = new URLSearchParams(location.search).get('next')
      if (target !== null) next.searchParams.set('next', target)
      const remember = form.querySelector<HTMLInputElement>('#remember')?.checked ?? false
      const result = await providers.logInWith(button.dataset.provider ?? '', { next: next.href, remember })
      if (result.ok) location.assign(result.data.location)
      else show(form, result.error)
    })
  }
}
