import type { Translated } from '../../languages/texts.js'

export const en = {
  emails: {
    'token-reused': {
      subject: 'You were logged out of an app at {site}',
      preheader: 'Someone else may have had a copy of its login.',
      before: [
        'An app or device that was logged in to your account {username} at {site} was used in two places at once. Someone may have copied its login, so we ended it.',
        'App or device: {label}.',
        'If you restored a device from a backup, that can be the reason. Log in there again.',
      ],
      invitation: 'If you can’t explain it, secure your account:',
      button: 'Secure my account',
      after: ['The link works for {duration}.'],
      reason:
        'You received this email because a login of your account at {site} was ended for safety. These emails can’t be turned off.',
    },
  },
} as const

export const de: Translated<typeof en> = {
  emails: {
    'token-reused': {
      subject: 'Eine App wurde bei {site} abgemeldet',
      preheader: 'Jemand hatte vielleicht eine Kopie ihrer Anmeldung.',
      before: [
        'eine App oder ein Gerät, das bei Ihrem Konto {username} bei {site} angemeldet war, wurde an zwei Orten zugleich benutzt. Vielleicht hat jemand die Anmeldung kopiert, deshalb haben wir sie beendet.',
        'App oder Gerät: {label}.',
        'Wenn Sie ein Gerät aus einer Sicherung wiederhergestellt haben, kann das der Grund sein. Melden Sie sich dort neu an.',
      ],
      invitation: 'Wenn Sie es sich nicht erklären können, schützen Sie Ihr Konto:',
      button: 'Mein Konto schützen',
      after: ['Der Link gilt {duration}.'],
      reason:
        'Sie erhalten diese E-Mail, weil eine Anmeldung Ihres Kontos bei {site} zur Sicherheit beendet wurde. Sie lässt sich nicht abbestellen.',
    },
  },
}

export const fr: Translated<typeof en> = {
  emails: {
    'token-reused': {
      subject: 'Une application a été déconnectée de {site}',
      preheader: 'Quelqu’un avait peut-être une copie de sa connexion.',
      before: [
        'Une application ou un appareil connecté à votre compte {username} sur {site} a été utilisé à deux endroits à la fois. Quelqu’un a peut-être copié cette connexion\u00a0: nous y avons mis fin.',
        'Application ou appareil\u00a0: {label}.',
        'Si vous avez restauré un appareil à partir d’une sauvegarde, c’est peut-être la raison. Reconnectez-vous sur cet appareil.',
      ],
      invitation: 'Si vous ne vous l’expliquez pas, sécurisez votre compte\u00a0:',
      button: 'Sécuriser mon compte',
      after: ['Le lien est valable {duration}.'],
      reason:
        'Vous recevez cet e-mail parce qu’une connexion de votre compte sur {site} a été fermée par sécurité. Il n’est pas possible de s’en désabonner.',
    },
  },
}
