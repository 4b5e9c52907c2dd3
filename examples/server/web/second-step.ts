import { get } from './elements.js'

/**
 * Shows the form for the first of what the account has, and links to the others: an account with only a passkey gets
 * no field for a code, and recovery codes are behind a link unless nothing else is left.
 * @param factors as in the error that requires them
 */
export function offerFactors(form: HTMLFormElement, factors: readonly string[]): void {
  const links = [...form.querySelectorAll<HTMLButtonElement>('[data-factor]')]
  const fields = [...form.querySelectorAll<HTMLFieldSetElement>('[data-asks]')]
  const button = form.querySelector<HTMLButtonElement>('[data-passkey]')
  // This page may lack what it takes to use a passkey.
  const usable = factors.filter((each) => each !== 'passkey' || button !== null)

  function choose(factor: string | undefined): void {
    for (const each of fields) each.hidden = each.disabled = each.dataset.asks !== factor
    get('[type=submit]', form).hidden = factor === 'passkey'
    if (button !== null) {
      button.hidden = factor !== 'passkey'
      button.classList.remove('quiet')
    }
    for (const { dataset, parentElement } of links)
      if (parentElement !== null)
        parentElement.hidden = dataset.factor === factor || !usable.includes(dataset.factor ?? '')
  }

  for (const link of links) {
    link.onclick = () => {
      choose(link.dataset.factor)
      focusFirst(form)
    }
  }
  choose(usable[0])
}

/** What the user is to use: the field, or the button of a passkey. */
export function focusFirst(form: HTMLFormElement): void {
  const first =
    form.querySelector<HTMLElement>('[data-asks]:enabled input') ??
    form.querySelector('[data-passkey]:not([hidden])')
  first?.focus()
}
