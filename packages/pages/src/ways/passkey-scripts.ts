import { compact } from '../frame/compact.js'

/**
 * The scripts of passkeys, modules: each page gets the one that it needs. They find their paths and texts in the data attributes
 * of `[data-passkey]`, which stays hidden in browsers that can't use passkeys.
 */

/** Requests to the routes. */
const requests = `
const { credentials } = navigator
const Keys = globalThis.PublicKeyCredential
const post = async (url, body = {}) => {
  const reply = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(body),
  })
  const content = await reply.json().catch(() => ({}))
  if (!reply.ok) throw content
  return content
}
`

/** A button that is safe against double clicks and tells what went wrong. */
const common = `${requests}
const part = document.querySelector('[data-passkey]')
const { dataset: data } = part
const tell = (error) => {
  const { code, factors, fields, message, name } = error ?? {}
  const led = { ACCOUNTS_CONFIRMATION_REQUIRED: data.confirm, ACCOUNTS_SECOND_FACTOR_REQUIRED: data.second, ACCOUNTS_LOGIN_EXPIRED: data.again, ACCOUNTS_LOGIN_REQUIRED: data.again }[code]
  if (led) {
    const url = new URL(led, location)
    if (factors) url.searchParams.set('factors', factors)
    return location.assign(url)
  }
  const own = name === 'InvalidStateError' ? data.taken : code === 'ACCOUNTS_INVALID_CREDENTIALS' ? data.wrong : undefined
  part.querySelector('[role=alert]').textContent = own ?? (error instanceof Error || error instanceof DOMException ? data.failed : fields?.[0]?.message ?? message ?? data.failed)
}
const offer = (act) => {
  const button = part.querySelector('button')
  part.hidden = !Keys?.parseRequestOptionsFromJSON
  for (const each of document.querySelectorAll('[data-passkey-missing]')) each.hidden = !part.hidden
  button.addEventListener('click', async () => {
    if (button.ariaBusy) return
    button.ariaBusy = 'true'
    part.querySelector('[role=alert]').textContent = ''
    try {
      await act()
    } catch (error) {
      tell(error)
    }
    button.ariaBusy = null
  })
}
`

const use = `
const use = async (options, more = {}) => {
  const publicKey = Keys.parseRequestOptionsFromJSON(options)
  return (await credentials.get({ publicKey, ...more })).toJSON()
}
`

/** A passkey that the site refuses is of no use to anybody: the browser may forget it. */
const make = `
const make = async (options, save, more = {}) => {
  const publicKey = Keys.parseCreationOptionsFromJSON(options)
  const response = (await credentials.create({ publicKey, ...more })).toJSON()
  try {
    return await save(response)
  } catch (error) {
    await Keys.signalUnknownCredential?.({ rpId: options.rp.id, credentialId: response.id }).catch(() => {})
    throw error
  }
}
`

/**
 * Logs in by the button, and by choosing a passkey among the suggestions of the field with `webauthn`. A click ends the wait for
 * a suggestion, which begins again if it led nowhere; and once its challenge, which works for 5 minutes, is 4 minutes old.
 */
export const logInScript: string = compact(`${common}${use}
let wait
const logIn = async (mediation) => {
  wait?.abort()
  const { signal } = (wait = new AbortController())
  const options = await post(data.options, { use: 'login' })
  const response = await use(options, { mediation, signal })
  const remember = document.querySelector('[name=remember]')?.checked === true
  await post(data.action, { response, remember })
  location.assign(data.done)
}
let since = -Infinity
const suggest = async () => {
  if (performance.now() - since < 240000 || !(await Keys?.isConditionalMediationAvailable?.())) return
  since = performance.now()
  await logIn('conditional').catch((error) => {
    if (!(error instanceof DOMException)) {
      since = -Infinity
      tell(error)
    }
  })
}
offer(async () => {
  try {
    await logIn('optional')
  } catch (error) {
    since = -Infinity
    suggest()
    throw error
  }
})
if (!part.hidden) {
  suggest()
  document.querySelector('[autocomplete~=webauthn]')?.addEventListener('focus', suggest)
}
`)

/** Completes a login, or confirms. */
export const proofScript: string = compact(`${common}${use}
offer(async () => {
  const response = await use(await post(data.options, data.use ? { use: data.use } : {}))
  const remembers = document.querySelector('[name=remember_device]')?.checked
  await post(data.action, { response, ...(remembers && { remember_device: true }) })
  location.assign(data.done)
})
`)

/** Adds a passkey, then sends the form around the button. */
export const addScript: string = compact(`${common}${make}
offer(async () => {
  const added = await make(await post(data.options, { use: data.use }), (response) => post(data.action, { response }))
  const form = part.closest('form')
  form.elements.added.value = added.id
  form.requestSubmit()
  return new Promise(() => {})
})
`)

/** After a login with a password: the password manager that filled it in may add a passkey without asking. Once a session. */
export const conditionalCreateScript: string = compact(`${requests}${make}
const { options, action } = document.querySelector('[data-passkey-offer]').dataset
const once = 'accounts-passkey-offered'
if (!sessionStorage.getItem(once) && (await Keys?.getClientCapabilities?.())?.conditionalCreate) {
  sessionStorage.setItem(once, '1')
  await post(options, { mediation: 'conditional' }).then((found) =>
    make(found, (response) => post(action, { response }), { mediation: 'conditional' }),
  ).catch(() => {})
}
`)

/** Where a signal waits until the passkey is gone. */
const removedKey = 'accounts-passkey-removed'

/** Before a passkey is removed: finds out by which names the browser knows it. */
export const removeScript: string = compact(`${requests}
const { dataset: data } = document.querySelector('[data-passkey-removal]')
if (Keys?.signalUnknownCredential) {
  const { rp, user } = await post(data.options).catch(() => ({}))
  const names = { rpId: rp?.id, userId: user?.id, credentialId: data.credential }
  if (rp) sessionStorage.setItem('${removedKey}', JSON.stringify(names))
}
`)

/** On the list of passkeys, after `addScript`: tells the browser which one is gone, and which work. */
export const signalScript: string = compact(`
const removed = JSON.parse(sessionStorage.getItem('${removedKey}'))
const accepted = JSON.parse(document.querySelector('[data-passkeys]').dataset.passkeys)
if (removed && !accepted.includes(removed.credentialId)) {
  sessionStorage.removeItem('${removedKey}')
  const { rpId, userId, credentialId } = removed
  await Keys.signalUnknownCredential({ rpId, credentialId }).catch(() => {})
  if (accepted.length > 0) await Keys.signalAllAcceptedCredentials?.({ rpId, userId, allAcceptedCredentialIds: accepted }).catch(() => {})
}
`)
