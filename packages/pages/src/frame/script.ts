import { compact } from './compact.js'

/**
 * The script of every page, a module: shows passwords, tells that a form is on its way, counts down, copies, and leads to what
 * is wrong; a page of an account that a browser restores is asked for anew, as somebody may have logged out since. Without it
 * everything works but these.
 *
 * `data-countdown` on a button: it works after so many seconds. On any other element: shows the seconds that are left.
 * `data-copy` on any element: a button after it copies that text; its own if that is empty.
 */
export const script: string = compact(`
const { show, hide, copyLabel: copy, copied } = document.querySelector('[data-show]')?.dataset ?? {}
for (const input of document.querySelectorAll('input[type=password]')) {
  const had = document.activeElement === input
  const box = document.createElement('span')
  const button = document.createElement('button')
  box.dataset.part = 'secret'
  button.dataset.part = 'show'
  button.type = 'button'
  button.textContent = show
  const label = document.querySelector('label[for="' + input.id + '"]')?.textContent ?? ''
  button.setAttribute('aria-label', show + ': ' + label)
  button.setAttribute('aria-controls', input.id)
  button.onclick = () => {
    const isHidden = input.type === 'password'
    input.type = isHidden ? 'text' : 'password'
    button.textContent = isHidden ? hide : show
    button.setAttribute('aria-label', button.textContent + ': ' + label)
  }
  input.form?.addEventListener('submit', () => { input.type = 'password' })
  input.replaceWith(box)
  box.append(input, button)
  if (had) input.focus()
}

for (const form of document.forms) form.addEventListener('submit', (event) => {
  if (form.ariaBusy) return event.preventDefault()
  form.ariaBusy = 'true'
  event.submitter?.setAttribute('data-busy', '')
})
addEventListener('pageshow', ({ persisted }) => {
  if (persisted && document.querySelector('main[data-kind=account]')) {
    document.documentElement.hidden = true
    return location.reload()
  }
  for (const form of document.forms) form.ariaBusy = null
  for (const button of document.querySelectorAll('[data-busy]')) button.removeAttribute('data-busy')
})

for (const element of document.querySelectorAll('[data-countdown]')) {
  const end = Date.now() + 1000 * element.dataset.countdown
  const label = element.textContent
  const isButton = element.tagName === 'BUTTON'
  const tick = () => {
    const left = Math.max(0, Math.ceil((end - Date.now()) / 1000))
    if (isButton) element.disabled = left > 0
    element.textContent = isButton ? label + (left > 0 ? ' (' + left + ')' : '') : left
    if (left > 0) setTimeout(tick, 250)
  }
  tick()
}

if (navigator.clipboard) for (const element of document.querySelectorAll('[data-copy]')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.dataset.part = 'copy'
  button.textContent = copy
  button.ariaLive = 'polite'
  button.onclick = async () => {
    await navigator.clipboard.writeText(element.dataset.copy || element.innerText.trim())
    button.textContent = copied
    setTimeout(() => { button.textContent = copy }, 2000)
  }
  element.after(button)
}

const wrong = document.querySelector('[data-part=summary], [data-tone=fault]')
if (wrong) {
  wrong.tabIndex = -1
  wrong.focus()
}
`)
