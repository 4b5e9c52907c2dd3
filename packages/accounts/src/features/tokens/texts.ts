import type { Translated } from '../../languages/texts.js'

export const en = {
  emails: {
    'token-reused': {
      subject: 'You were logged out of an app at {site}',
      preheader: 'Someone else may have had a copy of its login.',
      before: [
        'An app or device that was logged in to your account was used in two places at once. Someone may have copied its login, so we ended it.',
        'If you restored a device from a backup, that can be the reason. Log in there again.',
      ],
      lines: ['App or device: {label}'],
      invitation: 'If you can’t explain it, secure your account:',
    },
  },
} as const

export const de: Translated<typeof en> = {
  emails: {
    'token-reused': {
      subject: 'Eine App wurde bei {site} abgemeldet',
      preheader: 'Jemand hatte vielleicht eine Kopie ihrer Anmeldung.',
      before: [
        'eine App oder ein Gerät, das bei Ihrem Konto angemeldet war, wurde an zwei Orten zugleich benutzt. Vielleicht hat jemand die Anmeldung kopiert, deshalb haben wir sie beendet.',
        'Wenn Sie ein Gerät aus einer Sicherung wiederhergestellt haben, kann das der Grund sein. Melden Sie sich dort neu an.',
      ],
      lines: ['App oder Gerät: {label}'],
      invitation: 'Wenn Sie es sich nicht erklären können, schützen Sie Ihr Konto:',
    },
  },
}

export const fr: Translated<typeof en> = {
  emails: {
    'token-reused': {
      subject: 'Une application a été déconnectée de votre compte sur {site}',
      preheader: 'Quelqu’un avait peut-être une copie de sa connexion.',
      before: [
        'Une application ou un appareil connecté à votre compte a été utilisé à deux endroits à la fois. Quelqu’un a peut-être copié cette connexion\u00a0: nous y avons mis fin.',
        'Si vous avez restauré un appareil à partir d’une sauvegarde, c’est peut-être la raison. Reconnectez-vous sur cet appareil.',
      ],
      lines: ['Application ou appareil\u00a0: {label}'],
      invitation: 'Si vous ne vous l’expliquez pas, sécurisez votre compte\u00a0:',
    },
  },
}
