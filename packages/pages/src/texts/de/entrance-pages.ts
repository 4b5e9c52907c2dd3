import type { Translated } from 'fastify-accounts/features'
import type { entrance_pages as en } from '../en/entrance-pages.js'

export const entrance_pages: Translated<typeof en> = {
  log_in_to: 'Bei {site} anmelden',
  log_in: 'Anmelden',
  username: 'Benutzername oder E-Mail-Adresse',
  password: 'Passwort',
  forgot: 'Passwort vergessen?',
  remember: 'Angemeldet bleiben',
  create: 'Konto anlegen',
  wrong: 'Benutzername, E-Mail-Adresse oder Passwort ist falsch.',
  no_cookie:
    'Ihr Browser hat das Cookie nicht behalten. Lassen Sie Cookies für {site} zu, und versuchen Sie es noch einmal.',
  log_out: 'Abmelden?',
  logged_out: 'Sie sind abgemeldet',
  continue_with: 'Weiter mit {provider}',
}
