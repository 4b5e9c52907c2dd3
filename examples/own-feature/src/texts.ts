import type { Translated } from 'fastify-accounts/features'

export const en = {
  errors: { CLOSE_ACCOUNT_STAFF: 'Staff accounts can’t be closed. Ask another member of staff first.' },
  responses: {
    close_account: 'We emailed you a link that closes your account.',
    account_closed: 'Your account is closed.',
  },
  pages: {
    close_account: {
      heading: 'Close your account',
      body: 'The account {username} and everything in it will be deleted. This is permanent and can’t be undone.',
      button: 'Close my account',
    },
    account_closed: { heading: 'Your account is closed', body: 'Everything in it has been deleted.' },
  },
  emails: {
    'close-account': {
      subject: 'Close your account at {site}',
      preheader: 'Without this link, your account {username} stays open.',
      before: ['Someone, probably you, asked to close your account {username} at {site}.'],
      invitation: 'To close it, open this link:',
      button: 'Close my account',
      after: ['The link works once, for {duration}.', 'If this wasn’t you, change your password.'],
      reason: 'You received this email because someone asked to close your account at {site}.',
    },
  },
} as const

export const de: Translated<typeof en> = {
  errors: {
    CLOSE_ACCOUNT_STAFF:
      'Konten von Mitarbeitenden können nicht geschlossen werden. Wenden Sie sich zuerst an jemanden aus dem Team.',
  },
  responses: {
    close_account: 'Ein Link, mit dem Sie Ihr Konto schließen können, ist an Sie unterwegs.',
    account_closed: 'Ihr Konto ist geschlossen.',
  },
  pages: {
    close_account: {
      heading: 'Konto schließen',
      body: 'Das Konto {username} wird mit allem, was dazugehört, gelöscht. Das lässt sich nicht rückgängig machen.',
      button: 'Konto schließen',
    },
    account_closed: { heading: 'Ihr Konto ist geschlossen', body: 'Alles, was dazugehörte, ist gelöscht.' },
  },
  emails: {
    'close-account': {
      subject: 'Konto bei {site} schließen',
      preheader: 'Ohne diesen Link bleibt Ihr Konto {username} bestehen.',
      before: ['jemand, vermutlich Sie, möchte Ihr Konto {username} bei {site} schließen.'],
      invitation: 'Mit diesem Link schließen Sie es:',
      button: 'Konto schließen',
      after: [
        'Der Link funktioniert einmal und gilt {duration}.',
        'Waren Sie es nicht, ändern Sie bitte Ihr Passwort.',
      ],
      reason: 'Sie erhalten diese E-Mail, weil Ihr Konto bei {site} geschlossen werden soll.',
    },
  },
}

export const fr: Translated<typeof en> = {
  errors: {
    CLOSE_ACCOUNT_STAFF:
      'Le compte d’un membre de l’équipe ne peut pas être fermé. Adressez-vous d’abord à un autre membre.',
  },
  responses: {
    close_account: 'Un lien pour fermer votre compte vous a été envoyé.',
    account_closed: 'Votre compte est fermé.',
  },
  pages: {
    close_account: {
      heading: 'Fermer votre compte',
      body: 'Le compte {username} et tout ce qu’il contient seront supprimés. C’est définitif.',
      button: 'Fermer mon compte',
    },
    account_closed: { heading: 'Votre compte est fermé', body: 'Tout ce qu’il contenait est supprimé.' },
  },
  emails: {
    'close-account': {
      subject: 'Fermer votre compte sur {site}',
      preheader: 'Sans ce lien, votre compte {username} reste ouvert.',
      before: ['Quelqu’un, sans doute vous, a demandé la fermeture de votre compte {username} sur {site}.'],
      invitation: 'Pour le fermer, ouvrez ce lien :',
      button: 'Fermer mon compte',
      after: [
        'Le lien fonctionne une fois, pendant {duration}.',
        'Si ce n’était pas vous, changez votre mot de passe.',
      ],
      reason: 'Vous recevez ce message parce que la fermeture de votre compte sur {site} a été demandée.',
    },
  },
}
