import type { Translated } from 'fastify-accounts/features'
import type { account_pages as en } from '../en/account-pages.js'

export const account_pages: Translated<typeof en> = {
  password: 'Mot de passe',
  old_password: 'Mot de passe actuel',
  new_password: 'Nouveau mot de passe',
  change_password: 'Changer le mot de passe',
  set_password: 'Définir le mot de passe',
  password_changed: 'Mot de passe changé. Vos autres appareils sont déconnectés.',
}
