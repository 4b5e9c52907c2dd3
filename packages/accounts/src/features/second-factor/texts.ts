import type { Translated } from '../../languages/texts.js'

export const en = {
  reasons: {
    ACCOUNTS_INVALID_CODE: {
      app_turned_off:
        'Codes from your authenticator app don’t work at the moment. Use a recovery code or a passkey.',
    },
    ACCOUNTS_CONFLICT: {
      no_second_factor: 'Turn on two-step verification first.',
      no_passkey: 'Your account has no passkey. Add one first.',
    },
  },
  emails: {
    'factor-added': {
      subject: 'A two-step verification method was added at {site}',
      before: [
        'A two-step verification method was added to your account: an authenticator app, or your passkeys. Logging in with your password now takes a second step.',
        'If this was you, you don’t need to do anything. Keep your recovery codes in a safe place.',
      ],
    },
    'factor-removed': {
      subject: 'A two-step verification method was removed at {site}',
      before: [
        'A two-step verification method of your account was removed. If it was the only one, the password alone is now enough to log in.',
        'If this was you, or you asked for it, you don’t need to do anything.',
      ],
    },
    'recovery-codes-changed': {
      subject: 'New recovery codes at {site}',
      preheader: 'The old codes no longer work.',
      before: [
        'New recovery codes were created for your account. The old ones no longer work.',
        'If this was you, you don’t need to do anything.',
      ],
    },
    'recovery-codes-low': {
      subject: 'Few recovery codes left at {site}',
      preheader: 'Create new ones before you run out.',
      before: [
        'A recovery code was used for your account, and three or fewer are left.',
        'If this was you, log in and create new ones.',
      ],
    },
    'factor-guessed': {
      subject: 'Someone may be trying to log in to your account at {site}',
      preheader: 'The second step failed three times or more.',
      before: [
        'Someone got past the first step of logging in to your account, for example with the right password, but entered the wrong codes or used the wrong passkeys three times or more. This may have been in a browser that was already logged in.',
        'If this was you, you don’t need to do anything.',
      ],
    },
    'factor-turned-off': {
      subject: 'Your authenticator app was turned off at {site}',
      preheader: 'Someone entered a hundred wrong codes in a row.',
      before: [
        'Someone entered a hundred wrong codes in a row for your account. To stop the guessing, codes from your authenticator app don’t work for now.',
        'If this was you, log in with a recovery code or a passkey. The app works again after that.',
      ],
    },
  },
} as const

export const de: Translated<typeof en> = {
  reasons: {
    ACCOUNTS_INVALID_CODE: {
      app_turned_off:
        'Codes Ihrer Authenticator-App gelten zurzeit nicht. Verwenden Sie einen Wiederherstellungscode oder einen Passkey.',
    },
    ACCOUNTS_CONFLICT: {
      no_second_factor: 'Schalten Sie zuerst die Bestätigung in zwei Schritten ein.',
      no_passkey: 'Ihr Konto hat keinen Passkey. Fügen Sie zuerst einen hinzu.',
    },
  },
  emails: {
    'factor-added': {
      subject: 'Bestätigung in zwei Schritten: Methode bei {site} hinzugefügt',
      before: [
        'für Ihr Konto wurde eine Methode der Bestätigung in zwei Schritten hinzugefügt: eine Authenticator-App oder Ihre Passkeys. Die Anmeldung mit dem Passwort braucht nun einen zweiten Schritt.',
        'Wenn Sie das waren, brauchen Sie nichts zu tun. Bewahren Sie Ihre Wiederherstellungscodes sicher auf.',
      ],
    },
    'factor-removed': {
      subject: 'Bestätigung in zwei Schritten: Methode bei {site} entfernt',
      before: [
        'für Ihr Konto wurde eine Methode der Bestätigung in zwei Schritten entfernt. War es die einzige, genügt zur Anmeldung nun das Passwort.',
        'Wenn Sie das waren oder darum gebeten haben, brauchen Sie nichts zu tun.',
      ],
    },
    'recovery-codes-changed': {
      subject: 'Neue Wiederherstellungscodes bei {site}',
      preheader: 'Die alten Codes gelten nicht mehr.',
      before: [
        'für Ihr Konto wurden neue Wiederherstellungscodes erstellt. Die alten gelten nicht mehr.',
        'Wenn Sie das waren, brauchen Sie nichts zu tun.',
      ],
    },
    'recovery-codes-low': {
      subject: 'Nur noch wenige Wiederherstellungscodes bei {site}',
      preheader: 'Erstellen Sie neue, bevor keine mehr übrig sind.',
      before: [
        'für Ihr Konto wurde ein Wiederherstellungscode verwendet; höchstens drei sind noch übrig.',
        'Wenn Sie das waren, melden Sie sich an und erstellen Sie neue.',
      ],
    },
    'factor-guessed': {
      subject: 'Jemand versucht vielleicht, sich bei Ihrem Konto bei {site} anzumelden',
      preheader: 'Der zweite Schritt ist mindestens dreimal fehlgeschlagen.',
      before: [
        'jemand hat den ersten Schritt der Anmeldung bei Ihrem Konto geschafft, zum Beispiel mit Ihrem Passwort, ist aber mindestens dreimal am zweiten gescheitert, vielleicht in einem Browser, der schon angemeldet war.',
        'Wenn Sie das waren, brauchen Sie nichts zu tun.',
      ],
    },
    'factor-turned-off': {
      subject: 'Ihre Authenticator-App wurde bei {site} abgeschaltet',
      preheader: 'Hundert falsche Codes in Folge wurden eingegeben.',
      before: [
        'für Ihr Konto wurden hundert falsche Codes in Folge eingegeben. Damit niemand weiterrät, gelten Codes Ihrer Authenticator-App vorerst nicht mehr.',
        'Wenn Sie das waren, melden Sie sich mit einem Wiederherstellungscode oder einem Passkey an. Danach gilt die App wieder.',
      ],
    },
  },
}

export const fr: Translated<typeof en> = {
  reasons: {
    ACCOUNTS_INVALID_CODE: {
      app_turned_off:
        'Les codes de votre application d’authentification ne fonctionnent pas pour le moment. Utilisez un code de récupération ou une clé d’accès.',
    },
    ACCOUNTS_CONFLICT: {
      no_second_factor: 'Activez d’abord la validation en deux étapes.',
      no_passkey: 'Votre compte n’a pas de clé d’accès. Ajoutez-en d’abord une.',
    },
  },
  emails: {
    'factor-added': {
      subject: 'Une méthode de validation en deux étapes a été ajoutée sur {site}',
      before: [
        'Une méthode de validation en deux étapes a été ajoutée à votre compte\u00a0: une application d’authentification ou vos clés d’accès. La connexion par mot de passe demande désormais une deuxième étape.',
        'Si c’était vous, vous n’avez rien à faire. Conservez vos codes de récupération en lieu sûr.',
      ],
    },
    'factor-removed': {
      subject: 'Une méthode de validation en deux étapes a été retirée sur {site}',
      before: [
        'Une méthode de validation en deux étapes de votre compte a été retirée. Si c’était la seule, le mot de passe suffit désormais pour se connecter.',
        'Si c’était vous ou si vous l’avez demandé, vous n’avez rien à faire.',
      ],
    },
    'recovery-codes-changed': {
      subject: 'Nouveaux codes de récupération sur {site}',
      preheader: 'Les anciens codes ne fonctionnent plus.',
      before: [
        'De nouveaux codes de récupération ont été créés pour votre compte. Les anciens ne fonctionnent plus.',
        'Si c’était vous, vous n’avez rien à faire.',
      ],
    },
    'recovery-codes-low': {
      subject: 'Il reste peu de codes de récupération sur {site}',
      preheader: 'Créez-en de nouveaux avant qu’il n’en reste plus.',
      before: [
        'Un code de récupération a été utilisé pour votre compte\u202f; il en reste trois au plus.',
        'Si c’était vous, connectez-vous et créez-en de nouveaux.',
      ],
    },
    'factor-guessed': {
      subject: 'Quelqu’un essaie peut-être de se connecter à votre compte sur {site}',
      preheader: 'La deuxième étape a échoué au moins trois fois.',
      before: [
        'Quelqu’un a franchi la première étape de la connexion à votre compte, par exemple avec votre mot de passe, mais a échoué au moins trois fois à la deuxième, peut-être dans un navigateur déjà connecté.',
        'Si c’était vous, vous n’avez rien à faire.',
      ],
    },
    'factor-turned-off': {
      subject: 'Votre application d’authentification a été désactivée sur {site}',
      preheader: 'Cent codes incorrects de suite ont été saisis.',
      before: [
        'Cent codes incorrects de suite ont été saisis pour votre compte. Pour arrêter ces tentatives, les codes de votre application d’authentification ne fonctionnent pas pour le moment.',
        'Si c’était vous, connectez-vous avec un code de récupération ou une clé d’accès. L’application fonctionnera de nouveau.',
      ],
    },
  },
}
