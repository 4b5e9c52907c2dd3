import type { Translated } from 'fastify-accounts/features'
import type { sign_up_pages as en } from '../en/sign-up-pages.js'

export const sign_up_pages: Translated<typeof en> = {
  heading: 'Konto anlegen',
  create: 'Konto anlegen',
  or: 'oder',
  email: 'E-Mail-Adresse',
  username: 'Benutzername',
  password: 'Passwort',
  codes: 'Lieber Codes per E-Mail',
  optional: '{label} (freiwillig)',
  accept_terms: 'Mit dem Anlegen des Kontos stimmen Sie unseren {terms} zu.',
  terms: 'Nutzungsbedingungen',
  see_privacy: 'Wie wir Ihre Daten verwenden, steht in unserer {privacy}.',
  privacy: 'Datenschutzerklärung',
  have_account: 'Sie haben schon ein Konto? {log_in}',
  closed: 'Hier kann man sich nicht registrieren',
  another: 'Abmelden und ein anderes Konto anlegen',
  ready: 'Ihr Konto ist bereit. Melden Sie sich an, um fortzufahren.',
  inbox: 'Sehen Sie in Ihrem Posteingang nach',
  sent: 'Wir haben einen Link an {email} geschickt. Öffnen Sie ihn, um fertig zu werden.',
  change: 'Ändern',
  not_there: 'Nichts angekommen?',
  reset: 'Passwort zurücksetzen',
  forgot: 'Wir schicken Ihnen einen Link, mit dem Sie ein neues Passwort wählen.',
  forgot_code: 'Wir schicken Ihnen einen Code, mit dem Sie ein neues Passwort wählen.',
  send: 'E-Mail senden',
  forgot_sent:
    'Wenn es ein Konto mit {email} gibt, ist dorthin ein Link unterwegs, mit dem Sie ein neues Passwort wählen.',
  forgot_code_sent:
    'Wenn es ein Konto mit {email} gibt, ist dorthin ein Code unterwegs. Geben Sie ihn mit einem neuen Passwort ein.',
  code: 'Code',
  code_hint: 'Aus der E-Mail, zum Beispiel K7QD-3MXW.',
  new_password: 'Neues Passwort',
  set: 'Passwort setzen',
  enroll: 'Bestätigung in zwei Schritten einschalten',
  enroll_body:
    'Ihr Konto braucht bei der Anmeldung einen zweiten Schritt. Richten Sie ihn ein, um fortzufahren.',
  enroll_choose: 'Womit möchten Sie sich bestätigen?',
  app: 'Authenticator-App',
  app_hint: 'Ein Code aus einer App auf Ihrem Telefon',
  passkey: 'Passkey',
  passkey_hint: 'Fingerabdruck, Gesicht, Displaysperre oder ein Sicherheitsschlüssel',
  go_on: 'Weiter',
  beside: 'Sie sind als {username} angemeldet. Diese Seite betrifft ein anderes Konto.',
  stay: 'Als {username} fortfahren',
  join: 'Bei {site} mitmachen',
  invited_log_in:
    'Mit {email} gibt es schon ein Konto. Melden Sie sich dort an, um die Einladung anzunehmen.',
  invited_other:
    'Die Einladung gilt {email}, aber Sie sind als {username} angemeldet. Melden Sie sich mit dem anderen Konto an, um sie anzunehmen.',
  reserved: 'Diesen Benutzernamen haben Sie schon mit {email} verwendet. Wählen Sie einen anderen.',
}
