import type { Translated } from '../../languages/texts.js'

export const en = {
  reasons: {
    ACCOUNTS_INVALID_CODE: {
      not_requested: 'This browser hasn’t requested a code, or the code has expired. Request a new one.',
    },
  },
  responses: {
    login_code: 'If there is an account with this address, a login code is on its way.',
  },
  pages: {
    login_code: {
      heading: 'Log in',
      body: 'Log in to the account {username} in this browser.',
      button: 'Log in',
      otherwise: 'If you didn’t ask to log in, close this page.',
    },
    type_code: {
      heading: 'Your login code',
      body: 'Enter this code in the browser where you requested it:',
      otherwise: 'Never give this code to anyone. If you didn’t ask to log in, close this page.',
    },
    logged_in: {
      heading: 'You’re logged in',
      body: 'You’re logged in to the account {username}.',
    },
  },
  emails: {
    'login-code': {
      subject: 'Your login code for {site}',
      preheader: 'The code works once, for {duration}.',
      before: ['Someone, probably you, asked to log in to your account.'],
      invitation: 'Enter it where you requested it, or continue here:',
      button: 'Continue to log in',
      after: [
        'The code works once, for {duration}, in the browser that requested it.',
        'If this wasn’t you, ignore this email. Never give the code to anyone.',
      ],
      reason: 'You received this email because someone requested a login code with your address.',
    },
  },
} as const

export const de: Translated<typeof en> = {
  reasons: {
    ACCOUNTS_INVALID_CODE: {
      not_requested:
        'In diesem Browser wurde kein Code angefordert, oder er ist abgelaufen. Fordern Sie einen neuen an.',
    },
  },
  responses: {
    login_code: 'Wenn es ein Konto mit dieser Adresse gibt, ist ein Anmeldecode unterwegs.',
  },
  pages: {
    login_code: {
      heading: 'Anmelden',
      body: 'Melden Sie sich in diesem Browser beim Konto {username} an.',
      button: 'Anmelden',
      otherwise: 'Wenn Sie sich nicht anmelden wollten, schließen Sie diese Seite.',
    },
    type_code: {
      heading: 'Ihr Anmeldecode',
      body: 'Geben Sie diesen Code in dem Browser ein, in dem Sie ihn angefordert haben:',
      otherwise:
        'Geben Sie diesen Code niemandem. Wenn Sie sich nicht anmelden wollten, schließen Sie diese Seite.',
    },
    logged_in: {
      heading: 'Sie sind angemeldet',
      body: 'Sie sind beim Konto {username} angemeldet.',
    },
  },
  emails: {
    'login-code': {
      subject: 'Ihr Anmeldecode für {site}',
      preheader: 'Der Code funktioniert einmal und gilt {duration}.',
      before: ['für Ihr Konto wurde eine Anmeldung angefordert, vermutlich von Ihnen.'],
      invitation: 'Geben Sie ihn dort ein, wo Sie ihn angefordert haben, oder fahren Sie hier fort:',
      button: 'Weiter zur Anmeldung',
      after: [
        'Der Code funktioniert einmal, gilt {duration} und nur in dem Browser, in dem er angefordert wurde.',
        'Wenn Sie das nicht waren, ignorieren Sie diese E-Mail. Geben Sie den Code niemandem.',
      ],
      reason: 'Sie erhalten diese E-Mail, weil mit Ihrer Adresse ein Anmeldecode angefordert wurde.',
    },
  },
}

export const fr: Translated<typeof en> = {
  reasons: {
    ACCOUNTS_INVALID_CODE: {
      not_requested: 'Aucun code n’a été demandé dans ce navigateur, ou il a expiré. Demandez-en un nouveau.',
    },
  },
  responses: {
    login_code: 'Si un compte existe avec cette adresse, un code de connexion vient d’être envoyé.',
  },
  pages: {
    login_code: {
      heading: 'Se connecter',
      body: 'Connectez-vous au compte {username} dans ce navigateur.',
      button: 'Se connecter',
      otherwise: 'Si vous n’avez pas demandé à vous connecter, fermez cette page.',
    },
    type_code: {
      heading: 'Votre code de connexion',
      body: 'Saisissez ce code dans le navigateur où vous l’avez demandé\u00a0:',
      otherwise:
        'Ne donnez ce code à personne. Si vous n’avez pas demandé à vous connecter, fermez cette page.',
    },
    logged_in: {
      heading: 'Vous êtes connecté',
      body: 'Vous êtes connecté au compte {username}.',
    },
  },
  emails: {
    'login-code': {
      subject: 'Votre code de connexion à {site}',
      preheader: 'Le code fonctionne une seule fois, pendant {duration}.',
      before: ['Quelqu’un, probablement vous, a demandé à se connecter à votre compte.'],
      invitation: 'Saisissez-le là où vous l’avez demandé, ou continuez ici\u00a0:',
      button: 'Continuer vers la connexion',
      after: [
        'Le code fonctionne une seule fois, pendant {duration}, dans le navigateur qui l’a demandé.',
        'Si ce n’était pas vous, ignorez cet e-mail. Ne donnez le code à personne.',
      ],
      reason: 'Vous recevez cet e-mail parce qu’un code de connexion a été demandé avec votre adresse.',
    },
  },
}
