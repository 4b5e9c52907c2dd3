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
const all = (css) => document.querySelectorAll(css)
const { show, hide, copyLabel, copied } = all('main')[0].dataset
const make = (part, text) => {
  const button = document.createElement('button')
  button.type = 'button'
  button.dataset.part = part
  button.textContent = text
  return button
}

for (const input of all('[type=password]')) {
  const had = document.activeElement === input
  const box = document.createElement('span')
  const button = make('show', show)
  const label = input.labels[0]?.textContent ?? ''
  const turn = (type) => {
    input.type = type
    button.textContent = type === 'text' ? hide : show
    button.ariaLabel = button.textContent + ': ' + label
  }
  box.dataset.part = 'secret'
  button.onclick = () => turn(input.type === 'text' ? 'password' : 'text')
  turn('password')
  input.form?.addEventListener('submit', () => turn('password'))
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
  if (persisted && all('main[data-kind=account]')[0]) {
    document.documentElement.hidden = true
    return location.reload()
  }
  for (const form of document.forms) form.ariaBusy = null
  for (const button of all('[data-busy]')) delete button.dataset.busy
})

for (const each of all('[data-countdown]')) {
  const end = Date.now() + 1000 * each.dataset.countdown
  const label = each.textContent
  const isButton = each.tagName === 'BUTTON'
  const tick = () => {
    const left = Math.max(0, Math.ceil((end - Date.now()) / 1000))
    if (isButton) each.disabled = left > 0
    each.textContent = isButton ? label + (left > 0 ? ' (' + left + ')' : '') : left
    if (left > 0) setTimeout(tick, 250)
  }
  tick()
}

if (navigator.clipboard) for (const each of all('[data-copy]')) {
  const button = make('copy', copyLabel)
  button.ariaLive = 'polite'
  button.onclick = async () => {
    await navigator.clipboard.writeText(each.dataset.copy || each.innerText.trim())
    button.textContent = copied
    setTimeout(() => { button.textContent = copyLabel }, 2000)
  }
  each.after(button)
}

const wrong = all('[data-part=summary], [data-tone=fault]')[0]
if (wrong) {
  wrong.tabIndex = -1
  wrong.focus()
}
`)
