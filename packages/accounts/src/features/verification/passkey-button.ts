import { escapeHtml } from '../../pages/html.js'
import type { PageTheme } from '../../pages/theme.js'

/** Paths that confirm an address with a passkey. */
export interface PasskeyUrls {
  /** Where a browser gets what it needs to use one. */
  options: string
  /** Where the response of the passkey is sent. */
  action: string
  /** The page to show then. */
  done: string
}

/**
 * The one script of our pages: gives a passkey to the link. Without it, or in a browser that can't parse the options, the
 * button stays hidden; the page says what to do instead.
 */
export const passkeyScript: string = `
const button = document.querySelector('[data-options]')
const fault = document.querySelector('[data-fault]')
const post = (url, body) => fetch(url, {
  method: 'POST',
  headers: { 'content-type': 'application/json', accept: 'application/json' },
  body: JSON.stringify(body),
})
const confirm = async () => {
  const options = await (await post(button.dataset.options, { use: 'login' })).json()
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  const response = (await navigator.credentials.get({ publicKey })).toJSON()
  return (await post(button.dataset.action, { response })).ok
}
button.hidden = !globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON
button.addEventListener('click', async () => {
  fault.hidden = true
  if (await confirm().catch(() => false)) location.replace(button.dataset.done)
  else fault.hidden = false
})
`

/** The button and its script, which the content security policy must allow. */
export function passkeyButton({ language }: PageTheme, { options, action, done }: PasskeyUrls): string {
  const { pages, details } = language.texts
  const urls = `data-options="${escapeHtml(options)}" data-action="${escapeHtml(action)}" data-done="${escapeHtml(done)}"`
  return `<p><button type="button" ${urls} hidden>${escapeHtml(pages.verify_elsewhere.passkey)}</button></p>
<p class="fault" role="alert" data-fault hidden>${escapeHtml(details.passkey_incorrect)}</p>
<script type="module">${passkeyScript}</script>`
}
