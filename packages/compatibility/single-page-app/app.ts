import { createAccountsClient, type Result } from '@fastify-accounts/client'
import { createLinksClient } from '@fastify-accounts/client/links'

const service = { baseUrl: 'https://api.example.org' }
const accounts = createAccountsClient(service)
const links = createLinksClient(service)

/** A page with one form: what it asks for, and what its button does. */
interface Page {
  heading: string
  /** The label of each field, by its name. */
  fields?: Record<string, string>
  button: string
  /** Whether a link is still valid. Changes nothing. */
  check?: () => Promise<Result<unknown>>
  send: (values: Record<string, string>) => Promise<Result<unknown>>
  done: string
}

const newPassword = { new_password: 'New password', confirm_password: 'The same again' }

// Link data is after the #, which browsers don't send to servers.
const carried = Object.fromEntries(new URLSearchParams(location.hash.slice(1)))
const { uid64 = '', token = '', email = '' } = carried
const link = { uid64, token, email }
// Remove it from the address bar and the history.
history.replaceState(null, '', location.pathname)
// The next link may be opened in this very tab.
addEventListener('hashchange', () => location.reload())

const pages: Record<string, Page> = {
  '/': {
    heading: 'Log in',
    fields: { username: 'Username or email address', password: 'Password' },
    button: 'Log in',
    send: ({ username = '', password = '' }) => accounts.logIn({ username, password }),
    done: 'You’re logged in.',
  },
  '/signup': {
    heading: 'Sign up',
    fields: {
      username: 'Username',
      email: 'Email address',
      password: 'Password',
      confirm_password: 'The same again',
    },
    button: 'Sign up',
    send: ({ username = '', email = '', password = '', confirm_password = '' }) =>
      accounts.signUp({ username, email, password, confirm_password }),
    done: 'Check your inbox for a link to confirm your address.',
  },
  '/forgot': {
    heading: 'Forgot your password?',
    fields: { email: 'Email address' },
    button: 'Email me a link',
    send: ({ email = '' }) => accounts.requestPasswordReset({ email }),
    done: 'If there’s an account with this address, we’ve emailed a link to it.',
  },

  // Targets of links in emails.
  '/reset': {
    heading: 'Choose a new password',
    fields: newPassword,
    button: 'Save password',
    check: () => links.checkResetLink(link),
    send: ({ new_password = '', confirm_password = '' }) =>
      links.resetPassword(link, { new_password, confirm_password }),
    done: 'Your password has been changed. You can log in now.',
  },
  '/verify': {
    heading: 'Confirm your email address',
    // Somebody else may have signed up with the reader's address. Someone who doesn't know the password resets it.
    fields: { password: 'The password of your account' },
    button: 'Confirm',
    // No check: verifySignupByGet would confirm it, and a mail scanner may run this script.
    send: ({ password = '' }) => links.verifySignupWithPassword(link, { password }),
    done: 'Your address is confirmed. You can log in now.',
  },
  '/email': {
    heading: `Change your address to ${email}?`,
    button: 'Change address',
    check: () => links.checkEmailChange(link),
    send: () => links.confirmEmailChange(link),
    done: 'Your address has been changed.',
  },
  '/email-release': {
    heading: `Remove ${email} from this account?`,
    button: 'Remove address',
    check: () => links.checkEmailRelease(link),
    send: () => links.releaseEmail(link),
    done: 'The account no longer has your address.',
  },
  '/email-undo': {
    heading: `Change your address back to ${email}?`,
    button: 'Change it back',
    check: () => links.checkEmailUndo(link),
    send: () => links.undoEmailChange(link),
    done: 'Your address is back. We’ve emailed you a link to choose a new password.',
  },
  '/not-me': {
    heading: 'Wasn’t that you?',
    button: 'Secure my account',
    check: () => links.checkLoginReport(link),
    send: () => links.reportLogin(link),
    done: 'Everyone is logged out. We’ve emailed you a link to choose a new password.',
  },
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
  ...children: Node[]
): HTMLElementTagNameMap[Name] {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...children)
  return made
}

function typeOf(field: string): string {
  if (field.includes('password')) return 'password'
  return field === 'email' ? 'email' : 'text'
}

async function show({ heading, fields = {}, button, check, send, done }: Page): Promise<void> {
  const main = document.querySelector('main')
  const title = element('h1', { textContent: heading })
  const problem = element('p', { role: 'alert' })
  const inputs = Object.entries(fields).map(([name, label]) => {
    const input = element('input', { name, type: typeOf(name), required: true })
    return element('label', { textContent: `${label} ` }, input)
  })
  const form = element('form', {}, ...inputs, element('button', { textContent: button }))
  main?.replaceChildren(title)

  const alive = await check?.()
  if (alive?.ok === false) {
    problem.textContent = alive.error.message
    main?.append(problem)
    return
  }
  main?.append(form, problem)
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const values = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]))
    const result = await send(values)
    if (result.ok) main?.replaceChildren(element('p', { role: 'status', textContent: done }))
    else problem.textContent = result.error.fields[0]?.message ?? result.error.message
  })
}

const page = pages[location.pathname]
if (page) await show(page)
