import type { Translated } from '../../languages/texts.js'

export const en = {
  answers: {
    resend: 'If this address is waiting to be confirmed, we’ve emailed it a new link.',
  },
  pages: {
    verify: {
      heading: 'Confirm your email address',
      body: 'Confirm that the account {username} is yours and may use this email address.',
      button: 'Confirm',
      otherwise: 'If you didn’t create this account, close this page.',
    },
    verified: {
      heading: 'Your email address is confirmed',
      body: 'The account {username} is ready. You can log in now.',
    },
  },
  emails: {
    'verify-email': {
      subject: 'Confirm your email address at {site}',
      preheader: 'Confirm your address to use your account {username}.',
      before: ['There is an account named {username} at {site} with this email address.'],
      invitation: 'If it’s yours, confirm the address:',
      button: 'Confirm my address',
      after: [
        'The link works for {duration}.',
        'If it isn’t yours, don’t open the link. The address will stay unconfirmed.',
      ],
      reason: 'You received this email because someone entered your address for an account at {site}.',
    },
  },
} as const

export const de: Translated<typeof en> = {
  answers: {
    resend: 'Wenn ein Konto auf die Bestätigung dieser Adresse wartet, ist ein neuer Link unterwegs.',
  },
  pages: {
    verify: {
      heading: 'E-Mail-Adresse bestätigen',
      body: 'Bestätigen Sie, dass das Konto {username} Ihnen gehört und diese E-Mail-Adresse verwenden darf.',
      button: 'Bestätigen',
      otherwise: 'Wenn Sie dieses Konto nicht angelegt haben, schließen Sie diese Seite.',
    },
    verified: {
      heading: 'Ihre E-Mail-Adresse ist bestätigt',
      body: 'Das Konto {username} ist bereit: Sie können sich jetzt anmelden.',
    },
  },
  emails: {
    'verify-email': {
      subject: 'Bestätigen Sie Ihre E-Mail-Adresse bei {site}',
      preheader: 'Bestätigen Sie Ihre Adresse, um Ihr Konto {username} zu verwenden.',
      before: ['bei {site} gibt es mit dieser E-Mail-Adresse ein Konto namens {username}.'],
      invitation: 'Wenn es Ihres ist, bestätigen Sie die Adresse:',
      button: 'Adresse bestätigen',
      after: [
        'Der Link gilt {duration}.',
        'Wenn es nicht Ihres ist, öffnen Sie den Link nicht: Ohne ihn bleibt die Adresse unbestätigt.',
      ],
      reason: 'Sie erhalten diese E-Mail, weil bei {site} Ihre Adresse für ein Konto angegeben wurde.',
    },
  },
}

export const fr: Translated<typeof en> = {
  answers: {
    resend: 'Si un compte attend la confirmation de cette adresse, un nouveau lien vient d’être envoyé.',
  },
  pages: {
    verify: {
      heading: 'Confirmer votre adresse e-mail',
      body: 'Confirmez que le compte {username} est bien le vôtre et qu’il peut utiliser cette adresse e-mail.',
      button: 'Confirmer',
      otherwise: 'Si vous n’avez pas créé ce compte, fermez cette page.',
    },
    verified: {
      heading: 'Votre adresse e-mail est confirmée',
      body: 'Le compte {username} est prêt\u00a0: vous pouvez maintenant vous connecter.',
    },
  },
  emails: {
    'verify-email': {
      subject: 'Confirmez votre adresse e-mail sur {site}',
      preheader: 'Confirmez votre adresse pour utiliser votre compte {username}.',
      before: ['Il y a sur {site} un compte nommé {username} avec cette adresse e-mail.'],
      invitation: 'S’il est à vous, confirmez l’adresse\u00a0:',
      button: 'Confirmer mon adresse',
      after: [
        'Le lien fonctionne pendant {duration}.',
        'S’il n’est pas à vous, n’ouvrez pas le lien\u00a0: sans cela, l’adresse reste non confirmée.',
      ],
      reason: 'Vous recevez cet e-mail parce que votre adresse a été indiquée pour un compte sur {site}.',
    },
  },
}
