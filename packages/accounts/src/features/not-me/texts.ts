import type { Translated } from '../../languages/texts.js'

export const en = {
  responses: {
    not_me: 'Everyone has been logged out. We’ve emailed you a link to choose a new password.',
  },
  pages: {
    not_me: {
      heading: 'Secure your account',
      body: 'If someone else has logged in to the account {username}, or changed its login methods, click below: we’ll log everyone out, disable any password and email you a link to set a new password.',
      button: 'Secure my account',
      otherwise: 'If this was you, close this page. Nothing will change.',
    },
    not_me_done: {
      heading: 'You’ve been logged out on all devices',
      body: 'No earlier password of the account {username} works anymore. We’ve emailed you a link to set a new one.',
    },
  },
} as const

export const de: Translated<typeof en> = {
  responses: {
    not_me: 'Alle sind abgemeldet. Ein Link, mit dem ein neues Passwort gewählt werden kann, ist unterwegs.',
  },
  pages: {
    not_me: {
      heading: 'Schützen Sie Ihr Konto',
      body: 'Wenn sich jemand anders beim Konto {username} angemeldet oder die Anmeldemethoden geändert hat, klicken Sie unten: Wir melden alle ab, machen ein vorhandenes Passwort ungültig und senden Ihnen einen Link, mit dem Sie ein neues Passwort wählen.',
      button: 'Mein Konto schützen',
      otherwise: 'Wenn Sie das waren, schließen Sie diese Seite. Dann ändert sich nichts.',
    },
    not_me_done: {
      heading: 'Sie sind auf allen Geräten abgemeldet',
      body: 'Ein früheres Passwort des Kontos {username} gilt nicht mehr. Wir haben Ihnen einen Link gesendet, mit dem Sie ein neues wählen.',
    },
  },
}

export const fr: Translated<typeof en> = {
  responses: {
    not_me:
      'Tout le monde est déconnecté. Un lien permettant de choisir un nouveau mot de passe vient d’être envoyé.',
  },
  pages: {
    not_me: {
      heading: 'Sécurisez votre compte',
      body: 'Si quelqu’un d’autre s’est connecté au compte {username} ou a modifié les moyens de connexion, cliquez ci-dessous\u00a0: nous déconnecterons tout le monde, désactiverons tout mot de passe existant et vous enverrons un lien permettant de choisir un nouveau mot de passe.',
      button: 'Sécuriser mon compte',
      otherwise: 'Si c’était vous, fermez cette page. Rien ne changera.',
    },
    not_me_done: {
      heading: 'Vous avez été déconnecté de tous les appareils',
      body: 'Aucun mot de passe antérieur du compte {username} ne fonctionne plus. Nous vous avons envoyé un lien permettant d’en choisir un nouveau.',
    },
  },
}
