import type { Translated } from '../../languages/texts.js'

export const en = {
  emails: {
    'factor-added': {
      subject: 'A second factor was added at {site}',
      preheader: 'If this wasn’t you, secure your account.',
      before: [
        'A second factor was just added to your account {username} at {site}: an authenticator app, or your passkeys. Logging in with your password now requires a second factor.',
        'If this was you, you don’t need to do anything. Keep your recovery codes in a safe place.',
      ],
      invitation: 'If this wasn’t you, secure your account:',
      button: 'Secure my account',
      after: ['The link works for {duration}.'],
      reason:
        'You received this email because the second factor of your account at {site} was changed. These emails can’t be turned off.',
    },
    'factor-removed': {
      subject: 'A second factor was removed at {site}',
      preheader: 'If this wasn’t you, secure your account.',
      before: [
        'A second factor of your account {username} at {site} was just removed. If it was the only one, the password alone is now enough to log in.',
        'If this was you, you don’t need to do anything.',
      ],
      invitation: 'If this wasn’t you, secure your account:',
      button: 'Secure my account',
      after: ['The link works for {duration}.'],
      reason:
        'You received this email because the second factor of your account at {site} was changed. These emails can’t be turned off.',
    },
    'recovery-codes-changed': {
      subject: 'New recovery codes at {site}',
      preheader: 'The old codes no longer work.',
      before: [
        'New recovery codes were just created for your account {username} at {site}. The old ones no longer work.',
        'If this was you, you don’t need to do anything.',
      ],
      invitation: 'If this wasn’t you, secure your account:',
      button: 'Secure my account',
      after: ['The link works for {duration}.'],
      reason:
        'You received this email because the recovery codes of your account at {site} were changed. These emails can’t be turned off.',
    },
    'recovery-codes-low': {
      subject: 'Few recovery codes left at {site}',
      preheader: 'Create new ones before you run out.',
      before: [
        'A recovery code was just used for your account {username} at {site}, and three or fewer are left.',
        'If this was you, log in and create new ones.',
      ],
      invitation: 'If this wasn’t you, secure your account:',
      button: 'Secure my account',
      after: ['The link works for {duration}.'],
      reason:
        'You received this email because a recovery code of your account at {site} was used. These emails can’t be turned off.',
    },
    'factor-guessed': {
      subject: 'Someone may know your password at {site}',
      preheader: 'Three wrong codes followed the right password.',
      before: [
        'Someone logged in to your account {username} at {site} with the right password, and then entered three wrong codes.',
        'If this was you, you don’t need to do anything.',
      ],
      invitation: 'If this wasn’t you, secure your account:',
      button: 'Secure my account',
      after: ['The link works for {duration}.'],
      reason:
        'You received this email because someone tried to log in to your account at {site}. These emails can’t be turned off.',
    },
    'factor-turned-off': {
      subject: 'Your authenticator app was turned off at {site}',
      preheader: 'Someone entered a hundred wrong codes in a row.',
      before: [
        'Someone entered a hundred wrong codes in a row for your account {username} at {site}. To stop the guessing, codes from your authenticator app no longer work.',
        'If this was you, log in with a recovery code or a passkey. The app works again after that.',
      ],
      invitation: 'If this wasn’t you, secure your account:',
      button: 'Secure my account',
      after: ['The link works for {duration}.'],
      reason:
        'You received this email because your authenticator app at {site} was turned off. These emails can’t be turned off.',
    },
  },
} as const

export const de: Translated<typeof en> = {
  emails: {
    'factor-added': {
      subject: 'Ein zweiter Faktor wurde bei {site} hinzugefügt',
      preheader: 'Wenn Sie es nicht waren, schützen Sie Ihr Konto.',
      before: [
        'Ihrem Konto {username} bei {site} wurde gerade ein zweiter Faktor hinzugefügt: eine Authenticator-App oder Ihre Passkeys. Die Anmeldung mit dem Passwort braucht nun einen zweiten Faktor.',
        'Wenn Sie es waren, müssen Sie nichts tun. Bewahren Sie Ihre Wiederherstellungscodes sicher auf.',
      ],
      invitation: 'Wenn Sie es nicht waren, schützen Sie Ihr Konto:',
      button: 'Mein Konto schützen',
      after: ['Der Link gilt {duration}.'],
      reason:
        'Sie erhalten diese E-Mail, weil der zweite Faktor Ihres Kontos bei {site} geändert wurde. Sie lässt sich nicht abbestellen.',
    },
    'factor-removed': {
      subject: 'Ein zweiter Faktor wurde bei {site} entfernt',
      preheader: 'Wenn Sie es nicht waren, schützen Sie Ihr Konto.',
      before: [
        'Ein zweiter Faktor Ihres Kontos {username} bei {site} wurde gerade entfernt. War es der einzige, genügt zur Anmeldung nun das Passwort.',
        'Wenn Sie es waren, müssen Sie nichts tun.',
      ],
      invitation: 'Wenn Sie es nicht waren, schützen Sie Ihr Konto:',
      button: 'Mein Konto schützen',
      after: ['Der Link gilt {duration}.'],
      reason:
        'Sie erhalten diese E-Mail, weil der zweite Faktor Ihres Kontos bei {site} geändert wurde. Sie lässt sich nicht abbestellen.',
    },
    'recovery-codes-changed': {
      subject: 'Neue Wiederherstellungscodes bei {site}',
      preheader: 'Die alten Codes gelten nicht mehr.',
      before: [
        'Für Ihr Konto {username} bei {site} wurden gerade neue Wiederherstellungscodes erstellt. Die alten gelten nicht mehr.',
        'Wenn Sie es waren, müssen Sie nichts tun.',
      ],
      invitation: 'Wenn Sie es nicht waren, schützen Sie Ihr Konto:',
      button: 'Mein Konto schützen',
      after: ['Der Link gilt {duration}.'],
      reason:
        'Sie erhalten diese E-Mail, weil die Wiederherstellungscodes Ihres Kontos bei {site} geändert wurden. Sie lässt sich nicht abbestellen.',
    },
    'recovery-codes-low': {
      subject: 'Nur noch wenige Wiederherstellungscodes bei {site}',
      preheader: 'Erstellen Sie neue, bevor keine mehr übrig sind.',
      before: [
        'Für Ihr Konto {username} bei {site} wurde gerade ein Wiederherstellungscode verwendet; höchstens drei sind noch übrig.',
        'Wenn Sie es waren, melden Sie sich an und erstellen Sie neue.',
      ],
      invitation: 'Wenn Sie es nicht waren, schützen Sie Ihr Konto:',
      button: 'Mein Konto schützen',
      after: ['Der Link gilt {duration}.'],
      reason:
        'Sie erhalten diese E-Mail, weil ein Wiederherstellungscode Ihres Kontos bei {site} verwendet wurde. Sie lässt sich nicht abbestellen.',
    },
    'factor-guessed': {
      subject: 'Jemand kennt vielleicht Ihr Passwort bei {site}',
      preheader: 'Auf das richtige Passwort folgten drei falsche Codes.',
      before: [
        'Jemand hat sich beim Konto {username} bei {site} mit dem richtigen Passwort angemeldet und danach drei falsche Codes eingegeben.',
        'Wenn Sie es waren, müssen Sie nichts tun.',
      ],
      invitation: 'Wenn Sie es nicht waren, schützen Sie Ihr Konto:',
      button: 'Mein Konto schützen',
      after: ['Der Link gilt {duration}.'],
      reason:
        'Sie erhalten diese E-Mail, weil jemand versucht hat, sich bei Ihrem Konto bei {site} anzumelden. Sie lässt sich nicht abbestellen.',
    },
    'factor-turned-off': {
      subject: 'Ihre Authenticator-App wurde bei {site} abgeschaltet',
      preheader: 'Hundert falsche Codes in Folge wurden eingegeben.',
      before: [
        'Für Ihr Konto {username} bei {site} wurden hundert falsche Codes in Folge eingegeben. Damit niemand weiterrät, gelten Codes Ihrer Authenticator-App vorerst nicht mehr.',
        'Wenn Sie es waren, melden Sie sich mit einem Wiederherstellungscode oder einem Passkey an. Danach gilt die App wieder.',
      ],
      invitation: 'Wenn Sie es nicht waren, schützen Sie Ihr Konto:',
      button: 'Mein Konto schützen',
      after: ['Der Link gilt {duration}.'],
      reason:
        'Sie erhalten diese E-Mail, weil Ihre Authenticator-App bei {site} abgeschaltet wurde. Sie lässt sich nicht abbestellen.',
    },
  },
}

export const fr: Translated<typeof en> = {
  emails: {
    'factor-added': {
      subject: 'Un second facteur a été ajouté sur {site}',
      preheader: 'Si ce n’était pas vous, sécurisez votre compte.',
      before: [
        'Un second facteur vient d’être ajouté à votre compte {username} sur {site}\u00a0: une application d’authentification ou vos clés d’accès. La connexion par mot de passe demande désormais un second facteur.',
        'Si c’était vous, vous n’avez rien à faire. Conservez vos codes de récupération en lieu sûr.',
      ],
      invitation: 'Si ce n’était pas vous, sécurisez votre compte\u00a0:',
      button: 'Sécuriser mon compte',
      after: ['Le lien est valable {duration}.'],
      reason:
        'Vous recevez cet e-mail parce que le second facteur de votre compte sur {site} a été modifié. Il n’est pas possible de s’en désabonner.',
    },
    'factor-removed': {
      subject: 'Un second facteur a été retiré sur {site}',
      preheader: 'Si ce n’était pas vous, sécurisez votre compte.',
      before: [
        'Un second facteur de votre compte {username} sur {site} vient d’être retiré. Si c’était le seul, le mot de passe suffit désormais pour se connecter.',
        'Si c’était vous, vous n’avez rien à faire.',
      ],
      invitation: 'Si ce n’était pas vous, sécurisez votre compte\u00a0:',
      button: 'Sécuriser mon compte',
      after: ['Le lien est valable {duration}.'],
      reason:
        'Vous recevez cet e-mail parce que le second facteur de votre compte sur {site} a été modifié. Il n’est pas possible de s’en désabonner.',
    },
    'recovery-codes-changed': {
      subject: 'Nouveaux codes de récupération sur {site}',
      preheader: 'Les anciens codes ne fonctionnent plus.',
      before: [
        'De nouveaux codes de récupération viennent d’être créés pour votre compte {username} sur {site}. Les anciens ne fonctionnent plus.',
        'Si c’était vous, vous n’avez rien à faire.',
      ],
      invitation: 'Si ce n’était pas vous, sécurisez votre compte\u00a0:',
      button: 'Sécuriser mon compte',
      after: ['Le lien est valable {duration}.'],
      reason:
        'Vous recevez cet e-mail parce que les codes de récupération de votre compte sur {site} ont été modifiés. Il n’est pas possible de s’en désabonner.',
    },
    'recovery-codes-low': {
      subject: 'Il reste peu de codes de récupération sur {site}',
      preheader: 'Créez-en de nouveaux avant qu’il n’en reste plus.',
      before: [
        'Un code de récupération vient d’être utilisé pour votre compte {username} sur {site}\u00a0; il en reste trois au plus.',
        'Si c’était vous, connectez-vous et créez-en de nouveaux.',
      ],
      invitation: 'Si ce n’était pas vous, sécurisez votre compte\u00a0:',
      button: 'Sécuriser mon compte',
      after: ['Le lien est valable {duration}.'],
      reason:
        'Vous recevez cet e-mail parce qu’un code de récupération de votre compte sur {site} a été utilisé. Il n’est pas possible de s’en désabonner.',
    },
    'factor-guessed': {
      subject: 'Quelqu’un connaît peut-être votre mot de passe sur {site}',
      preheader: 'Trois codes incorrects ont suivi le bon mot de passe.',
      before: [
        'Quelqu’un s’est connecté à votre compte {username} sur {site} avec le bon mot de passe, puis a saisi trois codes incorrects.',
        'Si c’était vous, vous n’avez rien à faire.',
      ],
      invitation: 'Si ce n’était pas vous, sécurisez votre compte\u00a0:',
      button: 'Sécuriser mon compte',
      after: ['Le lien est valable {duration}.'],
      reason:
        'Vous recevez cet e-mail parce que quelqu’un a essayé de se connecter à votre compte sur {site}. Il n’est pas possible de s’en désabonner.',
    },
    'factor-turned-off': {
      subject: 'Votre application d’authentification a été désactivée sur {site}',
      preheader: 'Cent codes incorrects de suite ont été saisis.',
      before: [
        'Cent codes incorrects de suite ont été saisis pour votre compte {username} sur {site}. Pour arrêter ces tentatives, les codes de votre application d’authentification ne fonctionnent plus.',
        'Si c’était vous, connectez-vous avec un code de récupération ou une clé d’accès. L’application fonctionnera de nouveau.',
      ],
      invitation: 'Si ce n’était pas vous, sécurisez votre compte\u00a0:',
      button: 'Sécuriser mon compte',
      after: ['Le lien est valable {duration}.'],
      reason:
        'Vous recevez cet e-mail parce que votre application d’authentification sur {site} a été désactivée. Il n’est pas possible de s’en désabonner.',
    },
  },
}
