import type { Translated } from 'fastify-accounts/features'
import type { account_pages as en } from '../en/account-pages.js'

export const account_pages: Translated<typeof en> = {
  password: 'Passwort',
  old_password: 'Aktuelles Passwort',
  new_password: 'Neues Passwort',
  change_password: 'Passwort ändern',
  set_password: 'Passwort festlegen',
  password_changed: 'Passwort geändert. Ihre anderen Geräte sind abgemeldet.',
}
