/** The pages for whoever is not logged in: log in, sign up, forgotten password, confirm the address. */
import { accounts } from './client.js'
import { get, make } from './elements.js'
import { enableButtons, enableShowing, onSubmit, show, tell } from './forms.js'

const form = (id: string): HTMLFormElement | null => document.querySelector(`form#${id}`)

enableShowing()

const logIn = form('log-in')
const secondStep = form('second-step')
if (logIn !== null && secondStep !== null) {
  enableSecondStep(logIn, secondStep)
  onSubmit(logIn, async ({ username = '', password = '', remember }) => {
    const result = await accounts.logIn({ username, password, remember: remember === 'on' })
    // The server sends whoever is logged in to the page that was asked for.
    if (result.ok) location.reload()
    else if (result.error.code === 'ACCOUNTS_SECOND_FACTOR_REQUIRED') {
      askForCode(logIn, secondStep)
      return
    } else if (result.error.code === 'ACCOUNTS_NOT_VERIFIED') {
      logIn
        .querySelector('[role=alert]')
        ?.replaceChildren(
          'Open the link in the mail that we sent you first. ',
          make('a', { href: 'confirm-address' }, 'Send it again'),
        )
      return
    }
    return result
  })
}

/** Where there is a second factor, a login has a second step, in a form that takes the place of the first. */
function enableSecondStep(first: HTMLFormElement, second: HTMLFormElement): void {
  const startAgain = (): void => {
    second.reset()
    second.hidden = true
    first.hidden = false
    get('#username', first).focus()
  }
  onSubmit(second, async ({ code = '' }) => {
    const result = await accounts.logInWithSecondFactor({ code })
    if (result.ok) location.reload()
    else if (result.error.code === 'ACCOUNTS_LOGIN_EXPIRED') {
      startAgain()
      show(first, result.error)
      return
    }
    return result
  })
  get('#start-again', second).addEventListener('click', startAgain)
}

function askForCode(first: HTMLFormElement, second: HTMLFormElement): void {
  first.reset()
  // What had happened before, such as a logout.
  document.querySelector('h1 + .done')?.remove()
  first.hidden = true
  second.hidden = false
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
      const heading = make('h1', { tabindex: '-1' }, 'Look into your mailbox')
      document
        .querySelector('main')
        ?.replaceChildren(
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
      return undefined
    }
    const login = await accounts.logIn({ username, password })
    location.assign(login.ok ? 'account' : 'log-in')
    return undefined
  })
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
