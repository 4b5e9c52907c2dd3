import { escapeHtml } from 'fastify-accounts'
import type { OtherBeginning } from 'fastify-accounts/features'
import { deviceName } from './browser.js'
import type { PasskeyDeps } from './deps.js'
import { firstOptions, firstPasskey } from './first-passkey.js'
import { type AttestationBody, attestation, optionsReply } from './schemas.js'

/**
 * Creates a passkey, with the name in the page's form. Without this script, or in a browser that can't parse the options, the
 * button stays hidden; the form takes a password.
 */
const script = `
const button = document.querySelector('[data-passkey]')
const fault = document.querySelector('[data-passkey-fault]')
const { textContent: failed } = fault
const username = document.querySelector('[name=username]')
const post = async (url, body) => {
  const reply = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(body),
  })
  const content = await reply.json()
  if (!reply.ok) throw content.fields?.[0]?.message ?? content.message
  return content
}
const begin = async () => {
  const choice = {
    ...(username && { username: username.value }),
    ...(document.querySelector('[name=profile]:checked') && { profile: 'drop' }),
  }
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(await post(button.dataset.passkey, choice))
  const response = (await navigator.credentials.create({ publicKey })).toJSON()
  const { detail } = await post(button.dataset.action, { ...choice, response })
  const done = document.createElement('p')
  done.role = 'status'
  document.querySelector('main').replaceChildren(document.querySelector('h1'), done)
  done.textContent = detail
  const { onward, label } = button.dataset
  if (!onward) return
  const link = Object.assign(document.createElement('a'), { href: onward, textContent: label })
  Object.assign(link.dataset, { part: 'button', kind: 'primary' })
  done.after(link)
}
button.hidden = !globalThis.PublicKeyCredential?.parseCreationOptionsFromJSON
button.addEventListener('click', async () => {
  fault.hidden = true
  if (username?.reportValidity() === false) return
  try {
    await begin()
  } catch (error) {
    fault.textContent = typeof error === 'string' ? error : failed
    fault.hidden = false
  }
})
`

/** A passkey instead of a password. */
export function passkeyBeginning(deps: PasskeyDeps): OtherBeginning {
  return {
    script,
    show({ language: { say, texts }, brand, frame: { logInPath } }, paths) {
      if (paths === undefined) return ''
      const urls = `data-passkey="${escapeHtml(paths.options)}" data-action="${escapeHtml(paths.action)}"`
      // With pages, they can log in on one.
      const label = escapeHtml(say(texts.pages.onward, { site: brand.name }))
      const onward = logInPath === null ? '' : ` data-onward="${escapeHtml(logInPath)}" data-label="${label}"`
      return `<p><button type="button" ${urls}${onward} hidden>${escapeHtml(texts.pages.begin_with_passkey)}</button></p>
<p class="fault" role="alert" data-passkey-fault hidden>${escapeHtml(texts.errors.ACCOUNTS_INVALID_PASSKEY)}</p>`
    },
    proof: {
      kind: 'passkey',
      field: 'response',
      schema: attestation,
      reply: optionsReply,
      refusal: 'ACCOUNTS_INVALID_PASSKEY',
      options: (client, occasion, username) => firstOptions(deps, client, occasion, username),
      take: (client, occasion, response) =>
        firstPasskey(
          deps,
          { response: response as AttestationBody, name: deviceName(client), client },
          occasion,
        ),
    },
  }
}
