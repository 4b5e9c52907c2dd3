import { escapeHtml } from '../../pages/html.js'
import type { PageTheme } from '../../pages/theme.js'

/**
 * The one script of our pages: gives a passkey to the page's own URL. Without it, or in a browser that can't
 * parse the options, the button stays hidden; the page says what to do instead.
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
  return (await post(location.href, { response })).ok
}
button.hidden = !globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON
button.addEventListener('click', async () => {
  fault.hidden = true
  if (await confirm().catch(() => false)) location.reload()
  else fault.hidden = false
})
`

/** The button and its script, which the content security policy must allow. */
export function passkeyButton({ language }: PageTheme, optionsUrl: string): string {
  const { pages, details } = language.texts
  return `<p><button type="button" data-options="${escapeHtml(optionsUrl)}" hidden>${escapeHtml(pages.verify_elsewhere.passkey)}</button></p>
<p class="fault" role="alert" data-fault hidden>${escapeHtml(details.passkey_incorrect)}</p>
<script type="module">${passkeyScript}</script>`
}
