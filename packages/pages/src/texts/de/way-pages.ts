import type { Translated } from 'fastify-accounts/features'
import type { way_pages as en } from '../en/way-pages.js'

export const way_pages: Translated<typeof en> = {
  passkey_use: 'Passkey verwenden',
  passkey_or_key_use: 'Passkey oder Sicherheitsschlüssel verwenden',
  passkey_sign_up: 'Mit einem Passkey registrieren',
  passkey_failed:
    'Es wurde kein Passkey verwendet: Die Anfrage wurde abgebrochen, dauerte zu lange oder fand keinen Passkey.',
  passkey_unknown:
    'Dieser Passkey gehört hier zu keinem Konto. Versuchen Sie es noch einmal, oder melden Sie sich anders an.',
  passkey_taken: 'Dieses Gerät hat schon einen Passkey für Ihr Konto.',
}
