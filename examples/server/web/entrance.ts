/** The pages for whoever is not logged in: log in, sign up, forgotten password, confirm the address. */
import { accounts, passkeys } from './client.js'
import { get, make } from './elements.js'
import { enableButtons, enableShowing, onPasskey, onSubmit, show, tell } from './forms.js'
import { offerPasskeys } from './offer-passkeys.js'

type Login = Awaited<ReturnType<typeof accounts.logIn>>

const form = (id: string): HTMLFormElement | null => document.querySelector(`form#${id}`)

enableShowing()

const logIn = form('log-in')
const secondStep = form('second-step')
if (logIn !== null && secondStep !== null) {
  enableSecondStep(logIn, secondStep)
  onSubmit(logIn, async ({ username = '', password = '', remember }) => {
    return loggedIn(
      await accounts.logIn({ username, password, remember: remember === 'on' }),
      logIn,
      secondStep,
    )
  })
  if (logIn.querySelector('[data-passkey]') !== null)
    offerPasskeys(logIn, (result) => loggedIn(result, logIn, secondStep))
}

/** @returns the result where it is still to be told */
function loggedIn(result: Login, first: HTMLFormElement, second: HTMLFormElement): Login | undefined {
  // The server sends whoever is logged in to the page that was asked for.
  if (result.ok) location.reload()
  else if (result.error.code === 'ACCOUNTS_SECOND_FACTOR_REQUIRED') {
    askForFactor(first, second, result.error.factors)
    return
  } else if (result.error.code === 'ACCOUNTS_NOT_VERIFIED') {
    get('[role=alert]', first).replaceChildren(
      'Open the link in the mail that we sent you first. ',
      make('a', { href: 'confirm-address' }, 'Send it again'),
    )
    return
  }
  return result
}

/** Where there is a second factor, a login has a second step, in a form that takes the place of the first. */
function enableSecondStep(first: HTMLFormElement, second: HTMLFormElement): void {
  const startAgain = (): void => {
    second.reset()
    second.hidden = true
    first.hidden = false
    get('#username', first).focus()
  }
  function done(result: Login): Login | undefined {
    if (result.ok) location.reload()
    else if (result.error.code === 'ACCOUNTS_LOGIN_EXPIRED') {
      startAgain()
      show(first, result.error)
      return
    }
    return result
  }
  onSubmit(second, async ({ code = '', ...rest }) =>
    done(await accounts.logInWithSecondFactor({ code, ...rememberDevice(rest) })),
  )
  onPasskey(second, async (values) => done(await passkeys.logInWithSecondFactor(rememberDevice(values))))
  get('#start-again', second).addEventListener('click', startAgain)
}

function rememberDevice({ remember_device }: Readonly<Record<string, string>>): { remember_device: boolean } {
  return { remember_device: remember_device === 'on' }
}

function askForFactor(first: HTMLFormElement, second: HTMLFormElement, factors: readonly string[]): void {
  first.reset()
  // What had happened before, such as a logout.
  document.querySelector('h1 + .done')?.remove()
  first.hidden = true
  second.hidden = false
  const byPasskey = second.querySelector<HTMLButtonElement>('[data-passkey]')
  if (byPasskey !== null) byPasskey.hidden = !factors.includes('passkey')
  get('input', second).focus()
}

const signUp = form('sign-up')
if (signUp !== null) {
  onSubmit(signUp, async ({ username = '', email = '', password = '' }) => {
    // One field for the password, which can be looked at: nothing to be compared.
    const user = { username, email, password, confirm_password: password, ...mailLanguage(signUp) }
    const isUser = signUp.dataset.creation === 'user'
    const result = await (isUser ? accounts.createUser(user) : accounts.signUp(user))
    if (!result.ok) return result
    if (result.status === 202) {
      sendToMailbox(email)
      return undefined
    }
    const login = await accounts.logIn({ username, password })
    location.assign(login.ok ? 'account' : 'log-in')
    return undefined
  })
  onPasskey(signUp, async ({ username = '', email = '' }) => {
    const result = await passkeys.signUpWithPasskey({ username, email, ...mailLanguage(signUp) })
    if (!result.ok) return result
    if (result.status === 202) sendToMailbox(email)
    else location.assign('account')
    return undefined
  })
}

function sendToMailbox(email: string): void {
  const heading = make('h1', { tabindex: '-1' }, 'Look into your mailbox')
  get('main').replaceChildren(
    heading,
    make(
      'p',
      {},
      'We have mailed a link to ',
      make('strong', {}, email),
      '. Open it to confirm the address, then log in.',
    ),
    make(
      'p',
      { class: 'aside' },
      make('a', { href: 'log-in' }, 'Log in'),
      ' or ',
      make('a', { href: 'confirm-address' }, 'get the link again'),
    ),
  )
  document.title = document.title.replace('Sign up', 'Look into your mailbox')
  heading.focus()
}

/** The first language of the browser that there are mails in. */
function mailLanguage({ dataset }: HTMLElement): { locale?: string } {
  const offered = dataset.languages?.split(' ') ?? []
  const locale = navigator.languages.map((tag) => tag.slice(0, 2)).find((tag) => offered.includes(tag))
  return locale === undefined ? {} : { locale }
}

const forgotten = form('forgotten')
if (forgotten !== null) {
  onSubmit(forgotten, async ({ email = '' }) => {
    const result = await accounts.requestPasswordReset({ email })
    if (result.ok) tell(forgotten, result.data.detail)
    return result
  })
}

const confirmAddress = form('confirm-address')
if (confirmAddress !== null) {
  onSubmit(confirmAddress, async ({ email = '' }) => {
    const isUser = confirmAddress.dataset.creation === 'user'
    const result = await (isUser
      ? accounts.resendUserVerification({ email })
      : accounts.resendSignupVerification({ email }))
    if (result.ok) tell(confirmAddress, result.data.detail)
    return result
  })
}

enableButtons()
