/** The pages for logged-out users: log in, sign up, forgotten password, confirm the address. */
import { accounts, emailCode, passkeys } from './client.js'
import { get, make } from './elements.js'
import { enableButtons, enableShowing, onPasskey, onSubmit, tell } from './forms.js'
import { enableLogIn, enableProviders } from './log-in.js'

const form = (id: string): HTMLFormElement | null => document.querySelector(`form#${id}`)

enableShowing()

const logIn = form('log-in')
if (logIn !== null) {
  enableLogIn()
  enableProviders(logIn)
}

const signUp = form('sign-up')
if (signUp !== null) {
  enableProviders(signUp)
  onSubmit(signUp, async ({ username = '', email = '', password = '' }) => {
    // There's one password field, which can be shown, so there's nothing to compare. Empty, the address alone signs up.
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
  const heading = make('h1', { tabindex: '-1' }, 'Check your inbox')
  get('main').replaceChildren(
    heading,
    make(
      'p',
      {},
      'We’ve emailed a link to ',
      make('strong', {}, email),
      '. Open it to confirm your address, then log in.',
    ),
    make(
      'p',
      { class: 'aside' },
      make('a', { href: 'log-in' }, 'Log in'),
      ' or ',
      make('a', { href: 'confirm-address' }, 'send the email again'),
    ),
  )
  document.title = document.title.replace('Sign up', 'Check your inbox')
  heading.focus()
}

/** The browser's first language that emails are available in. */
function mailLanguage({ dataset }: HTMLElement): { locale?: string } {
  const offered = dataset.languages?.split(' ') ?? []
  const locale = navigator.languages.map((tag) => tag.slice(0, 2)).find((tag) => offered.includes(tag))
  return locale === undefined ? {} : { locale }
}

const forgotten = form('forgotten')
const byCode = form('reset-code')
if (forgotten !== null && byCode !== null) {
  onSubmit(forgotten, async ({ email = '' }) => {
    const result = await accounts.requestPasswordReset({ email })
    if (result.ok) {
      tell(forgotten, result.data.detail)
      byCode.hidden = false
    }
    return result
  })
  onSubmit(byCode, async ({ code = '', new_password = '' }) => {
    // There's one password field, which can be shown, so there's nothing to compare.
    const body = { code, new_password, confirm_password: new_password }
    const result = await emailCode.resetPasswordWithCode(body)
    if (result.ok) {
      byCode.reset()
      tell(byCode, 'Your password has been changed. You can now log in with it.')
    }
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
