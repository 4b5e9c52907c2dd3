import type { Translated } from 'fastify-accounts/features'
import type { frame as en } from '../en/frame.js'

export const frame: Translated<typeof en> = {
  summary: 'Etwas stimmt noch nicht',
  of_field: '{label}: {message}',
  show: 'Anzeigen',
  hide: 'Verbergen',
  copy: 'Kopieren',
  copied: 'Kopiert',
  account: 'Ihr Konto',
  back: 'Zurück zu Ihrem Konto',
  log_in: 'Anmelden',
  log_out: 'Abmelden',
  cancel: 'Abbrechen',
  privacy: 'Datenschutz',
  terms: 'Nutzungsbedingungen',
  imprint: 'Impressum',
  language: 'Sprache',
  done: 'Fertig',
  other_account:
    'Sie sind jetzt als {name} angemeldet. Es wurde nichts geändert. Prüfen Sie diese Seite und senden Sie sie noch einmal.',
}
