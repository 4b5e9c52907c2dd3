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
        'Someone, probably you, is making a change to your account and has to confirm it.',
        'Enter it where you requested it. It works once, for {duration}.',
      ],
      invitation:
        'If this wasn’t you, someone is logged in to your account. Don’t give the code to anyone, and log everyone out:',
      reason: 'You received this email because someone who is logged in to your account requested a code.',
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
        'jemand, vermutlich Sie, möchte an Ihrem Konto etwas ändern und muss das bestätigen.',
        'Geben Sie ihn dort ein, wo Sie ihn angefordert haben. Er funktioniert einmal und gilt {duration}.',
      ],
      invitation:
        'Wenn Sie das nicht waren, ist jemand in Ihrem Konto angemeldet. Geben Sie den Code niemandem, und melden Sie alle ab:',
      reason:
        'Sie erhalten diese E-Mail, weil jemand, der bei Ihrem Konto angemeldet ist, einen Code angefordert hat.',
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
        'Quelqu’un, probablement vous, modifie votre compte et doit le confirmer.',
        'Saisissez-le là où vous l’avez demandé. Il fonctionne une seule fois, pendant {duration}.',
      ],
      invitation:
        'Si ce n’était pas vous, quelqu’un est connecté à votre compte. Ne donnez le code à personne et déconnectez tout le monde\u00a0:',
      reason:
        'Vous recevez cet e-mail parce que quelqu’un qui est connecté à votre compte a demandé un code.',
    },
  },
}
