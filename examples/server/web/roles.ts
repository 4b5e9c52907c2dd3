/** The dialog on the page of users that gives roles to one of them, or takes them away. */

import type { PublicUser } from '@fastify-accounts/client'
import { type Fields, users } from './client.js'
import { open, withConfirmation } from './dialogs.js'
import { get } from './elements.js'
import { clear, onSubmit } from './forms.js'

type User = PublicUser<Fields>

let chosen: { user: User; done(changed: User): void } | undefined

/** @param done gets the user with the new roles */
export function openRoles(user: User, done: (changed: User) => void): void {
  const dialog = get<HTMLDialogElement>('#roles-dialog')
  clear(dialog)
  get('bdi', dialog).textContent = user.username ?? ''
  for (const box of dialog.querySelectorAll<HTMLInputElement>('[name=roles]'))
    box.checked = user.roles?.includes(box.value) ?? false
  chosen = { user, done }
  open(dialog)
}

export function enableRoles(): void {
  const dialog = get<HTMLDialogElement>('#roles-dialog')
  const form = get<HTMLFormElement>('form', dialog)
  onSubmit(form, async () => {
    if (chosen === undefined) return
    const { user, done } = chosen
    const roles = new FormData(form).getAll('roles').map(String)
    const result = await withConfirmation(() => users.updateUser(user.id, { roles }))
    if (!result?.ok) return result
    dialog.close()
    done(result.data)
    return result
  })
}
