import type { Translated } from '../../../languages/texts.js'

export const en = {
  responses: {
    confirmation_code: 'We’ve emailed you a code.',
  },
  emails: {
    'confirmation-code': {
      subject: 'Your confirmation code for {site}',
      preheader: 'The code works once, for {duration}.',
      before: [
        'Someone, probably you, is making a change to your account {username} at {site} and has to confirm it.',
        'Your confirmation code: {code}',
        'Enter it where you requested it. It works once, for {duration}.',
        'If this wasn’t you, someone is logged in to your account: don’t give the code to anyone, and log out your other devices.',
      ],
      reason:
        'You received this email because someone who is logged in to your account at {site} requested a code.',
    },
  },
} as const

export const de: Translated<typeof en> = {
  responses: {
    confirmation_code: 'Wir haben Ihnen einen Code per E-Mail geschickt.',
  },
  emails: {
    'confirmation-code': {
      subject: 'Ihr Bestätigungscode für {site}',
      preheader: 'Der Code funktioniert einmal und gilt {duration}.',
      before: [
        'jemand, vermutlich Sie, möchte an Ihrem Konto {username} bei {site} etwas ändern und muss das bestätigen.',
        'Ihr Bestätigungscode: {code}',
        'Geben Sie ihn dort ein, wo Sie ihn angefordert haben. Er funktioniert einmal und gilt {duration}.',
        'Wenn Sie das nicht waren, ist jemand bei Ihrem Konto angemeldet: Geben Sie den Code niemandem, und melden Sie Ihre anderen Geräte ab.',
      ],
      reason:
        'Sie erhalten diese E-Mail, weil jemand, der bei Ihrem Konto bei {site} angemeldet ist, einen Code angefordert hat.',
    },
  },
}

export const fr: Translated<typeof en> = {
  responses: {
    confirmation_code: 'Nous vous avons envoyé un code par e-mail.',
  },
  emails: {
    'confirmation-code': {
      subject: 'Votre code de confirmation pour {site}',
      preheader: 'Le code fonctionne une seule fois, pendant {duration}.',
      before: [
        'Quelqu’un, probablement vous, modifie votre compte {username} sur {site} et doit le confirmer.',
        'Votre code de confirmation\u00a0: {code}',
        'Saisissez-le là où vous l’avez demandé. Il fonctionne une seule fois, pendant {duration}.',
        'Si ce n’était pas vous, quelqu’un est connecté à votre compte\u00a0: ne donnez le code à personne, et déconnectez vos autres appareils.',
      ],
      reason:
        'Vous recevez cet e-mail parce que quelqu’un qui est connecté à votre compte sur {site} a demandé un code.',
    },
  },
}
