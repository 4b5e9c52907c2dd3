/** The account page. */

import type { Session } from '@fastify-accounts/client'
import { enableActivity } from './activity.js'
import { enableApiKeys } from './api-keys.js'
import { accounts, type Fields, goToLogIn, messageOf } from './client.js'
import { afterPassword, withPassword } from './dialogs.js'
import { ago, get, make, moment, place } from './elements.js'
import { enableButtons, onSubmit, show, tell } from './forms.js'
import { enableIdentities } from './identities.js'
import { enablePage } from './logged-in.js'
import { enablePasskeys } from './passkeys.js'
import { enableSecondFactor } from './second-factor.js'

enablePage()

const profile = get<HTMLFormElement>('#profile-form')
onSubmit(profile, async ({ username = '', ...own }) => {
  const result = await accounts.updateMe({ username, ...(own as Fields) })
  if (result.ok) tell(profile, 'Saved.')
  return result
})

const email = get<HTMLFormElement>('#email-form')
onSubmit(email, async ({ email: address = '' }) => {
  const result = await withPassword(() => accounts.changeEmail({ email: address }))
  if (!result?.ok) return result
  email.reset()
  tell(email, `${result.data.detail} Until then your address stays the same.`)
  return result
})

const confirmAddress = document.querySelector<HTMLFormElement>('#confirm-address')
if (confirmAddress !== null) {
  onSubmit(confirmAddress, async ({ email: address = '' }) => {
    const isUser = confirmAddress.dataset.creation === 'user'
    const body = { email: address }
    const result = await (isUser
      ? accounts.resendUserVerification(body)
      : accounts.resendSignupVerification(body))
    if (result.ok) tell(confirmAddress, `We’ve emailed a link to ${address}.`)
    return result
  })
}

const password = get<HTMLFormElement>('#password-form')
const removePassword = get<HTMLButtonElement>('#remove-password')
let hasPassword = password.dataset.hasPassword === 'yes'
let hasPasskey = false
let hasLoginPasskey = false
let hasIdentity = false
onSubmit(password, async ({ old_password, new_password = '' }) => {
  const result = await withPassword(() =>
    accounts.changePassword({
      ...(old_password !== undefined && { old_password }),
      new_password,
      confirm_password: new_password,
    }),
  )
  if (!result?.ok) return result
  password.reset()
  tell(
    password,
    `Your password has been ${hasPassword ? 'changed' : 'set'}. All your other devices are logged out.`,
  )
  hasPassword = true
  showPassword()
  await Promise.all([listDevices(), secondFactor.show()])
  return result
})

removePassword.addEventListener('click', async () => {
  const result = await afterPassword(() => accounts.removePassword(), true)
  if (result === undefined) return
  if (!result.ok) return show(password, result.error)
  hasPassword = false
  showPassword()
  tell(password, 'Your password has been removed. All your other devices are logged out.')
  get('#change-password-heading').focus()
  await Promise.all([listDevices(), secondFactor.show()])
})

/** Shows what applies to an account with, or without, a password. */
function showPassword(): void {
  const old = get<HTMLFieldSetElement>('#old-password')
  old.hidden = old.disabled = !hasPassword
  get('#no-password').hidden = hasPassword
  get('[type=submit]', password).textContent = hasPassword ? 'Change password' : 'Set password'
  // The last way to log in can't be removed.
  removePassword.hidden = !(
    hasPassword &&
    (hasLoginPasskey || hasIdentity || password.dataset.takesCodes === 'yes')
  )
}

const devices = get('#devices')
const deviceList = get('#device-list')
const endOthers = get<HTMLButtonElement>('#end-others')

async function listDevices(): Promise<void> {
  const result = await accounts.listSessions()
  if (!result.ok) return show(devices, result.error)
  const current = result.data.results.filter((session) => session.current)
  const others = result.data.results.filter((session) => !session.current)
  deviceList.replaceChildren(...[...current, ...others].map(device))
  deviceList.removeAttribute('aria-busy')
  endOthers.hidden = others.length === 0
}

function device(session: Session): HTMLLIElement {
  const { id, last_seen_at, created_at, ip, current } = session
  const name = nameOf(session)
  const seen = [`last seen ${ago(last_seen_at)}`, ...(ip === null ? [] : [place(ip)])].map(
    (fact) => ` · ${fact}`,
  )
  const badge = current ? [' ', make('span', { class: 'badge good' }, 'This device')] : []
  const row = make(
    'li',
    { class: 'device' },
    make(
      'div',
      { class: 'device-facts' },
      make('p', { class: 'device-name' }, make('strong', {}, name), ...badge),
      make('p', { class: 'hint' }, 'Logged in ', moment(created_at), ...seen),
    ),
  )
  if (!current) {
    const button = make(
      'button',
      { type: 'button', class: 'quiet' },
      'Log out',
      make('span', { class: 'unseen' }, ` ${name}`),
    )
    button.addEventListener('click', () => end(() => accounts.endSession(id), `${name} is logged out.`))
    row.append(button)
  }
  return row
}

function nameOf({ name, browser, system }: Session): string {
  if (name !== null) return name
  if (browser === null && system === null) return 'An unknown device'
  if (browser === null || system === null) return browser ?? `A browser on ${system}`
  return `${browser} on ${system}`
}

async function end(action: () => ReturnType<typeof accounts.endSession>, told: string): Promise<void> {
  const result = await action()
  // If it's already gone, that counts as success.
  if (!result.ok && result.error.code !== 'ACCOUNTS_NOT_FOUND') return show(devices, result.error)
  await listDevices()
  tell(devices, told)
  // The focused button was removed.
  get('#devices-heading').focus()
}

endOthers.addEventListener('click', () =>
  end(() => accounts.endOtherSessions(), 'All other devices are logged out.'),
)
const deletion = get<HTMLDialogElement>('#delete-dialog')
get('form', deletion).addEventListener('submit', async (event) => {
  event.preventDefault()
  const result = await afterPassword(() => accounts.deleteMe())
  if (result?.ok) location.replace('log-in?deleted')
  else if (result?.error.code === 'ACCOUNTS_LOGIN_REQUIRED') goToLogIn()
  else get('[role=alert]', deletion).textContent = result === undefined ? '' : messageOf(result.error)
})

enableButtons()
const secondFactor = enableSecondFactor({
  devicesEnded: listDevices,
  ways: () => ({ password: hasPassword, passkey: hasPasskey }),
  keyAdded: () => passkeyList.show(),
})
const passkeyList = enablePasskeys(async (list) => {
  hasPasskey = list.length > 0
  hasLoginPasskey = list.some(({ use }) => use === 'login')
  showPassword()
  await secondFactor.show()
})
await Promise.all([
  listDevices(),
  enableActivity(),
  enableApiKeys(),
  passkeyList.show(),
  enableIdentities((usable) => {
    hasIdentity = usable > 0
    showPassword()
  }),
])
