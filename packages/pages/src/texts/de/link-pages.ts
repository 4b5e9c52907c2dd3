import type { Translated } from 'fastify-accounts/features'
import type { link_pages as en } from '../en/link-pages.js'

export const link_pages: Translated<typeof en> = {
  used: 'Das haben Sie schon erledigt',
  used_body: 'Dieser Link gilt nur einmal und wurde schon verwendet.',
  used_or_changed:
    'Dieser Link wurde schon verwendet, oder Ihr Konto hat sich geändert, seit wir ihn gesendet haben.',
  used_code: 'Dieser Link wurde schon verwendet, oder Sie haben seitdem einen neueren angefordert.',
  outdated: 'Dieser Link gilt nicht mehr',
  outdated_verification:
    'Ihr Konto hat sich geändert, seit wir ihn gesendet haben. Wir können Ihnen einen neuen senden.',
  outdated_undo:
    'Die E-Mail-Adresse wurde noch einmal geändert, seit wir den Link gesendet haben. Wenn Sie diese Änderung nicht kennen, nehmen Sie den Link in unserer neuesten E-Mail, oder setzen Sie Ihr Passwort zurück.',
  outdated_release: 'Das Konto wurde gesperrt oder gelöscht, seit wir den Link gesendet haben.',
  outdated_not_me:
    'Das Konto wurde geschützt, oder seine E-Mail-Adresse hat sich geändert, seit wir den Link gesendet haben. Wenn jemand anders Zugang haben könnte, setzen Sie Ihr Passwort zurück.',
  outdated_invitation:
    'Sie haben die Einladung schon angenommen, oder sie wurde zurückgezogen oder noch einmal gesendet. Wenn Sie noch nicht dabei sind, suchen Sie nach einer neueren E-Mail, oder fragen Sie die Person, die Sie eingeladen hat.',
  expired: 'Dieser Link ist abgelaufen',
  expired_body: 'Wir können Ihnen einen neuen senden.',
  expired_change: 'In Ihrem Konto können Sie einen neuen anfordern.',
  expired_security: 'Wenn jemand anders Zugang zu Ihrem Konto haben könnte, setzen Sie Ihr Passwort zurück.',
  expired_no_address: 'Wenden Sie sich an {site}, um einen neuen zu erhalten.',
  expired_release: 'Wenn diese E-Mail-Adresse zu keinem Konto hier gehören soll, wenden Sie sich an {site}.',
  expired_invitation: 'Bitten Sie die Person, die Sie eingeladen hat, um eine neue Einladung.',
  expired_identity: 'Melden Sie sich noch einmal an, um einen neuen zu bekommen.',
  renew: 'Neuen Link senden',
  sent: 'Sehen Sie in Ihr Postfach',
  sent_body: 'Wir haben Ihnen eine E-Mail gesendet. Öffnen Sie den Link darin, um fortzufahren.',
  reset: 'Passwort zurücksetzen',
  change_address: 'E-Mail-Adresse ändern',
  start_again: 'Neu beginnen',
  too_long: 'Was Sie eingegeben haben, ist zu lang. Gehen Sie zurück und kürzen Sie es.',
  try_again: 'Erneut versuchen',
  go_on: 'Weiter',
  confirm: 'Bestätigen, dass Sie es sind',
  get_code: 'Per E-Mail anmelden',
  canceled: 'Sie haben abgebrochen. Versuchen Sie es noch einmal, oder wählen Sie einen anderen Weg.',
  throttled: 'Versuchen Sie es in {time} noch einmal.',
}
