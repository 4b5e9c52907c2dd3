/** The part of the account page about the second factor, its recovery codes and remembered devices. */

import type { AccountsClientError, RemovedFactors, TotpApp } from '@fastify-accounts/client'
import { accounts, goToLogIn, messageOf, passkeys, secondFactor } from './client.js'
import { afterPassword, open, withPassword } from './dialogs.js'
import { ago, get, make, moment } from './elements.js'
import { onSubmit } from './forms.js'

/**
 * @param account.devicesEnded called after the first factor, which logs out the other devices
 * @param account.ways the ways to log in
 * @param account.keyAdded called after a security key was added
 * @returns a function that refreshes the state, after the password or the passkeys have changed
 */
export function enableSecondFactor(account: {
  devicesEnded(): Promise<void>
  ways(): { password: boolean; passkey: boolean }
  keyAdded(): Promise<void>
}): { show(): Promise<void> } {
  const form = get<HTMLFormElement>('#factor-form')
  const begin = get<HTMLButtonElement>('#factor-begin')
  const renew = get<HTMLButtonElement>('#renew-codes')
  const renaming = get<HTMLDialogElement>('#rename-app-dialog')
  const askForPasskeys = get<HTMLButtonElement>('#ask-for-passkeys')
  const addKey = document.querySelector<HTMLButtonElement>('#add-key')
  const stopAsking = get<HTMLButtonElement>('#stop-asking')
  let token = ''
  let isOn = false
  let apps: readonly TotpApp[] = []
  let chosen: TotpApp | undefined

  async function showState(): Promise<void> {
    const result = await secondFactor.showFactors()
    if (!result.ok) return refuse(result.error)
    const { totp, passkeys: asksForPasskeys, recovery_codes_left: left, remembered_devices } = result.data
    isOn = totp || asksForPasskeys
    const state = get('#factor-state')
    state.textContent = isOn
      ? `On: ${[...(totp ? ['a code from your app'] : []), ...(asksForPasskeys ? ['a passkey or security key'] : [])].join(' or ')}. You have ${left} recovery ${left === 1 ? 'code' : 'codes'} left.`
      : account.ways().password
        ? 'Off. Only your password protects your account.'
        : 'Off. An account without a password doesn’t need two-step verification.'
    state.removeAttribute('aria-busy')
    apps = result.data.apps
    begin.textContent = totp ? 'Add another app' : 'Set up an authenticator app'
    begin.classList.toggle('quiet', totp)
    begin.hidden = !form.hidden || apps.length >= mostApps
    showApps()
    renew.hidden = !isOn
    if (addKey !== null) addKey.hidden = false
    askForPasskeys.hidden = asksForPasskeys || !(account.ways().password && account.ways().passkey)
    stopAsking.hidden = !asksForPasskeys
    showRemembered(remembered_devices)
    tellOfRemoved(result.data.removed)
  }

  begin.addEventListener('click', async () => {
    tell('')
    const result = await withPassword(() => secondFactor.startTotp())
    if (!result?.ok) return refuse(result?.error)
    token = result.data.token
    get('#factor-qr').replaceChildren(pictureOf(result.data.qr_svg))
    get('#factor-key').textContent = result.data.secret.replaceAll(/.{4}(?=.)/g, '$& ')
    get('[type=submit]', form).textContent = apps.length > 0 ? 'Add it' : 'Turn it on'
    form.hidden = false
    begin.hidden = true
    get('#factor-code').focus()
  })

  onSubmit(form, async ({ code = '', name = '' }) => {
    const isFirst = !isOn
    const named = name === '' ? {} : { name }
    const result = await withPassword(() => secondFactor.confirmTotp({ code, token, ...named }))
    if (!result?.ok) return result
    forgetSetup()
    showCodes(result.data.recovery_codes)
    tell(
      isFirst
        ? 'Two-step verification is on. All your other devices are logged out.'
        : 'The app has been added. Its codes work from now on.',
    )
    await Promise.all([showState(), account.devicesEnded()])
    return result
  })

  renew.addEventListener('click', async () => {
    const result = await afterPassword(() => secondFactor.renewRecoveryCodes(), true)
    if (!result?.ok) return refuse(result?.error)
    showCodes(result.data.recovery_codes)
    tell('You have new recovery codes. The old ones no longer work.')
    await showState()
  })

  function showApps(): void {
    const list = get('#app-list')
    list.hidden = apps.length === 0
    list.replaceChildren(...apps.map(row))
  }

  function row(app: TotpApp): HTMLLIElement {
    const { name, created_at, last_used_at } = app
    const used = last_used_at === null ? 'not used yet' : `last used ${ago(last_used_at)}`
    return make(
      'li',
      { class: 'device' },
      make(
        'div',
        { class: 'device-facts' },
        make('p', { class: 'device-name' }, make('strong', {}, make('bdi', {}, name))),
        make('p', { class: 'hint' }, 'Added ', moment(created_at), ` · ${used}`),
      ),
      make('div', { class: 'actions' }, button('Rename', app, rename), button('Remove', app, remove)),
    )
  }

  function button(label: string, app: TotpApp, act: (app: TotpApp) => unknown): HTMLButtonElement {
    const text = make('span', { class: 'unseen' }, ` ${app.name}`)
    const made = make('button', { type: 'button', class: 'quiet' }, label, text)
    made.addEventListener('click', () => act(app))
    return made
  }

  function rename(app: TotpApp): void {
    chosen = app
    const field = get<HTMLInputElement>('#app-name')
    field.value = app.name
    open(renaming)
    field.select()
  }

  onSubmit(get<HTMLFormElement>('form', renaming), async ({ name = '' }) => {
    const app = chosen
    if (app === undefined) return
    const result = await withPassword(() => secondFactor.renameTotpApp(app.id, { name }))
    if (!result?.ok) return result
    renaming.close()
    await showState()
    tell(`Renamed to ${result.data.name}.`)
    get('#second-factor-heading').focus()
    return
  })

  async function remove({ id, name }: TotpApp): Promise<void> {
    const isLast = apps.length === 1
    const result = await afterPassword(() => secondFactor.removeTotpApp(id), true)
    // If it's already gone, that counts as success.
    if (!result?.ok && result?.error.code !== 'ACCOUNTS_NOT_FOUND') return refuse(result?.error)
    if (isLast) return turnedOff('Your authenticator app has been removed.')
    await showState()
    tell(`${name} has been removed.`)
    get('#second-factor-heading').focus()
  }

  askForPasskeys.addEventListener('click', () =>
    turnPasskeysOn('We’ll now ask for a passkey after your password. All your other devices are logged out.'),
  )

  addKey?.addEventListener('click', async () => {
    tell('')
    const me = await accounts.showMe()
    if (!me.ok) return refuse(me.error)
    // Otherwise the key would be added, but couldn't be turned on.
    if (me.data.email !== null && !me.data.is_verified) return refuseUnverified()
    const result = await withPassword(() => passkeys.addPasskey({ use: 'factor' }))
    if (!result?.ok) return refuse(result?.error)
    await turnPasskeysOn('Your security key has been added. We’ll ask for it after your password.')
    await account.keyAdded()
  })

  /** If it's already on, the recovery codes stay. */
  async function turnPasskeysOn(told: string): Promise<void> {
    const result = await withPassword(() => secondFactor.changeFactors({ passkeys: true }))
    if (!result?.ok) return refuse(result?.error)
    showCodes(result.data.recovery_codes)
    tell(told)
    await Promise.all([showState(), account.devicesEnded()])
  }

  type Remembered = Awaited<ReturnType<typeof secondFactor.showFactors>> & { ok: true }

  function showRemembered(devices: Remembered['data']['remembered_devices']): void {
    get('#remembered').hidden = devices.length === 0
    get('#remembered-list').replaceChildren(
      ...devices.map(({ id, browser, system, created_at, expires_at }) => {
        const name = [browser ?? 'An unknown browser', ...(system === null ? [] : [`on ${system}`])].join(' ')
        const button = make(
          'button',
          { type: 'button', class: 'quiet' },
          'Forget',
          make('span', { class: 'unseen' }, ` ${name}`),
        )
        button.addEventListener('click', async () => {
          const result = await secondFactor.removeRememberedDevice(id)
          // If it's already gone, that counts as success.
          if (!result.ok && result.error.code !== 'ACCOUNTS_NOT_FOUND') return refuse(result.error)
          await showState()
          tell(`${name} will need two-step verification again.`)
          get('#second-factor-heading').focus()
        })
        const facts = make(
          'div',
          { class: 'device-facts' },
          make('p', { class: 'device-name' }, make('strong', {}, name)),
          make('p', { class: 'hint' }, 'Remembered ', moment(created_at), ' · until ', moment(expires_at)),
        )
        return make('li', { class: 'device' }, facts, button)
      }),
    )
  }

  stopAsking.addEventListener('click', async () => {
    const result = await afterPassword(() => secondFactor.changeFactors({ passkeys: false }), true)
    if (!result?.ok) return refuse(result?.error)
    await turnedOff('We’ll no longer ask for a passkey after your password.')
  })

  async function turnedOff(told: string): Promise<void> {
    hideCodes()
    tell(told)
    await showState()
    get('#second-factor-heading').focus()
  }

  function forgetSetup(): void {
    token = ''
    form.reset()
    form.hidden = true
    get('#factor-qr').replaceChildren()
    get('#factor-key').textContent = ''
  }

  enableCopying()
  return { show: showState }
}

/** The service's limit. */
const mostApps = 10

/** An inline SVG, parsed so that no script in it runs; the page only allows image files of the server. */
function pictureOf(svg: string): Element {
  const picture = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement
  picture.setAttribute('role', 'img')
  picture.setAttribute('aria-label', 'QR code for your authenticator app')
  return picture
}

let shownCodes = ''

function showCodes(codes: readonly string[]): void {
  // Empty if it wasn't the first app: the codes stay.
  if (codes.length === 0) return
  shownCodes = `${codes.join('\n')}\n`
  get('#recovery-code-list').replaceChildren(...codes.map((code) => make('li', {}, make('code', {}, code))))
  const download = get<HTMLAnchorElement>('#download-codes')
  URL.revokeObjectURL(download.href)
  download.href = URL.createObjectURL(new Blob([shownCodes], { type: 'text/plain' }))
  get('#recovery-codes').hidden = false
  get('#recovery-codes-heading').focus()
}

function hideCodes(): void {
  shownCodes = ''
  get('#recovery-codes').hidden = true
  get('#recovery-code-list').replaceChildren()
}

function enableCopying(): void {
  const copy = get<HTMLButtonElement>('#copy-codes')
  // The clipboard is only available over https and on localhost.
  copy.hidden = !isSecureContext
  copy.addEventListener('click', async () => {
    const copied = await navigator.clipboard.writeText(shownCodes).then(
      () => true,
      () => false,
    )
    tell(copied ? 'Copied.' : 'Your browser didn’t allow copying. Download the codes instead.')
  })
}

function tell(text: string): void {
  get('#factor-fault').textContent = ''
  get('#factor-told').textContent = text
}

/** @param error `undefined` if the dialog was closed */
function refuse(error: AccountsClientError | undefined): void {
  tell('')
  if (error?.code === 'ACCOUNTS_LOGIN_REQUIRED') goToLogIn()
  else if (error?.code === 'ACCOUNTS_NOT_VERIFIED') refuseUnverified()
  else if (error !== undefined) get('#factor-fault').textContent = messageOf(error)
}

function refuseUnverified(): void {
  get('#factor-fault').textContent = 'Confirm your email address first.'
}

/** Reminds the owner to set up again what securing the account has removed. */
function tellOfRemoved(removed: RemovedFactors | null): void {
  const notice = get('#removed-notice')
  notice.hidden = removed === null
  if (removed === null) return
  const { passkeys, apps, recovery_codes: codes, identities, api_keys: keys } = removed
  const counts: [count: number, one: string, other: string][] = [
    [passkeys, 'passkey', 'passkeys'],
    [apps, 'authenticator app', 'authenticator apps'],
    [codes, 'recovery code', 'recovery codes'],
    [identities, 'login with another provider', 'logins with other providers'],
    [keys, 'API key', 'API keys'],
  ]
  const lost = counts.flatMap(([count, one, other]) =>
    count === 0 ? [] : `${count} ${count === 1 ? one : other}`,
  )
  get('#removed-list').textContent = new Intl.ListFormat('en').format(lost)
  get('#removed-at').replaceChildren(moment(removed.removed_at))
}
