/**
 * The script of every page, a module: shows passwords, tells that a form is on its way, counts down, copies, and leads to what
 * is wrong. Without it everything works but these.
 */
export const script: string = `
for (const input of document.querySelectorAll('input[type=password]')) {
  const { show, hide } = document.querySelector('[data-show]')?.dataset ?? {}
  if (!show) break
  const button = Object.assign(document.createElement('button'), { type: 'button', textContent: show })
  button.dataset.part = 'show'
  button.setAttribute('aria-controls', input.id)
  button.onclick = () => {
    const hidden = input.type === 'password'
    input.type = hidden ? 'text' : 'password'
    button.textContent = hidden ? hide : show
    input.focus()
  }
  input.after(button)
}
for (const form of document.forms) form.addEventListener('submit', (event) => {
  if (form.ariaBusy) return event.preventDefault()
  form.ariaBusy = 'true'
})
addEventListener('pageshow', () => { for (const form of document.forms) form.ariaBusy = null })
document.querySelector('[data-part=summary]')?.focus()
`
