import type { Translated } from '../../languages/texts.js'

export const en = {
  responses: {
    change_email: 'If this address can be used, we’ve sent it a link to confirm the change.',
    email_changed: 'The email address has been changed.',
    email_undone: 'The change has been undone. We’ve emailed you a link to choose a new password.',
    email_kept: 'The new email address is final. The link to undo the change no longer works.',
    email_released: 'The account does not use this email address.',
  },
  pages: {
    email_change: {
      heading: 'Use this email address',
      body: 'The account {username} will use the address {email} from now on.',
      button: 'Use this address',
      otherwise: 'If this isn’t your account, close this page.',
    },
    email_changed: {
      heading: 'Your email address has been changed',
      body: 'The account {username} now uses the address {email}.',
    },
    email_undo: {
      heading: 'Undo the change of email address',
      body: 'If you didn’t change the email address of the account {username}, click below. We’ll change it back to {email}, log everyone out, disable the current password and email you a link to set a new one.',
      button: 'Secure my account',
      otherwise: 'If you changed the address yourself, close this page. Nothing changes.',
      keep: 'I changed it myself: disable this link',
    },
    email_undone: {
      heading: 'The change was undone',
      body: 'The account {username} uses the address {email} again. You’ve been logged out on all devices. We’ve emailed a link to set a new password to that address.',
    },
    email_keep: {
      heading: 'Keep the new email address',
      body: 'If you changed the email address of the account {username} yourself, or gave the account away, click below. The link that undoes the change will stop working, and nobody can take the account back with the address {email}.',
      button: 'Keep the new address',
      otherwise: 'If you didn’t change it, don’t click. Go back and secure your account.',
    },
    email_kept: {
      heading: 'The new email address is final',
      body: 'The account {username} can no longer be taken back with the address {email}.',
    },
    email_release: {
      heading: 'Release this email address',
      body: 'If the account {username} isn’t yours, click below. We’ll remove the address {email} from it, and the account can’t use it unless you confirm it again.',
      button: 'Release this address',
      otherwise: 'If the account is yours, close this page. Nothing changes.',
    },
    email_released: {
      heading: 'Email address released',
      body: 'The account {username} doesn’t use the address {email}.',
    },
  },
  emails: {
    'change-email': {
      subject: 'Confirm your new email address at {site}',
      preheader: 'Confirm that the account {username} may use this address.',
      before: ['Someone, probably you, asked to use this email address for the account {username}.'],
      invitation: 'If this is your account, confirm the address:',
      button: 'Use this address',
      after: [
        'The link works once, for {duration}.',
        'If this isn’t your account, don’t open the link. Nothing will change.',
      ],
      /** A second link, in the text of the email. */
      release: {
        invitation: 'Not your account? If the address was confirmed by mistake, remove it from the account:',
        label: 'Release this address',
      },
      reason: 'You received this email because someone entered your address for an account.',
    },
    'email-changed': {
      subject: 'The email address of your account at {site} has been changed',
      preheader: 'If this wasn’t you, secure your account.',
      before: [
        'Your account no longer uses this email address, so we won’t send emails about it here anymore.',
        'If this was you, or you asked for it, you don’t need to do anything.',
      ],
      invitation:
        'If this wasn’t you, secure your account: we’ll change the address back, log everyone out and email you a link to set a new password.',
      button: 'Secure my account',
      after: [
        'The link works once, for {duration}.',
        'If you received an email like this with a link shortly before, that link undoes this change as well.',
      ],
    },
    'email-taken': {
      subject: 'Your email address is already in use at {site}',
      preheader: 'It belongs to the account {username}.',
      before: [
        'Someone, probably you, tried to use this email address for another account. It already belongs to the account {username}, and each address can belong to only one account.',
        'If this was you, log in to that account, or change its address first.',
        'If this wasn’t you, you don’t need to do anything. Nothing has changed.',
      ],
      reason: 'You received this email because someone entered your address for an account.',
    },
  },
} as const

export const de: Translated<typeof en> = {
  responses: {
    change_email: 'Wenn die Adresse verwendet werden kann, ist ein Link zum Bestätigen dorthin unterwegs.',
    email_changed: 'Die E-Mail-Adresse wurde geändert.',
    email_undone:
      'Die Änderung wurde rückgängig gemacht. Ein Link, mit dem ein neues Passwort gewählt werden kann, ist unterwegs.',
    email_kept:
      'Die neue E-Mail-Adresse bleibt. Der Link, der die Änderung rückgängig macht, funktioniert nicht mehr.',
    email_released: 'Das Konto verwendet diese E-Mail-Adresse nicht.',
  },
  pages: {
    email_change: {
      heading: 'Diese E-Mail-Adresse verwenden',
      body: 'Das Konto {username} verwendet von nun an die Adresse {email}.',
      button: 'Diese Adresse verwenden',
      otherwise: 'Wenn das Konto nicht Ihres ist, schließen Sie diese Seite.',
    },
    email_changed: {
      heading: 'Ihre E-Mail-Adresse wurde geändert',
      body: 'Das Konto {username} verwendet jetzt die Adresse {email}.',
    },
    email_undo: {
      heading: 'Änderung der E-Mail-Adresse rückgängig machen',
      body: 'Wenn Sie die E-Mail-Adresse des Kontos {username} nicht geändert haben, klicken Sie unten. Wir stellen die Adresse {email} wieder her, melden alle ab, machen das jetzige Passwort ungültig und senden Ihnen einen Link, mit dem Sie ein neues wählen.',
      button: 'Mein Konto schützen',
      otherwise:
        'Wenn Sie die Adresse selbst geändert haben, schließen Sie diese Seite. Dann ändert sich nichts.',
      keep: 'Ich habe sie selbst geändert, und dieser Link soll nicht mehr funktionieren',
    },
    email_undone: {
      heading: 'Die Änderung wurde rückgängig gemacht',
      body: 'Das Konto {username} verwendet wieder die Adresse {email}. Sie sind auf allen Geräten abgemeldet. An diese Adresse haben wir einen Link gesendet, mit dem Sie ein neues Passwort wählen.',
    },
    email_keep: {
      heading: 'Neue E-Mail-Adresse behalten',
      body: 'Wenn Sie die E-Mail-Adresse des Kontos {username} selbst geändert oder das Konto weitergegeben haben, klicken Sie unten. Der Link, der die Änderung rückgängig macht, funktioniert dann nicht mehr, und niemand kann das Konto mit der Adresse {email} zurückholen.',
      button: 'Neue Adresse behalten',
      otherwise:
        'Wenn Sie die Adresse nicht geändert haben, klicken Sie nicht. Gehen Sie zurück und schützen Sie Ihr Konto.',
    },
    email_kept: {
      heading: 'Die neue E-Mail-Adresse bleibt',
      body: 'Das Konto {username} kann mit der Adresse {email} nicht mehr zurückgeholt werden.',
    },
    email_release: {
      heading: 'Diese E-Mail-Adresse freigeben',
      body: 'Wenn das Konto {username} nicht Ihres ist, klicken Sie unten. Wir nehmen die Adresse {email} aus dem Konto, und es kann sie nur verwenden, wenn Sie sie noch einmal bestätigen.',
      button: 'Adresse freigeben',
      otherwise: 'Wenn das Konto Ihres ist, schließen Sie diese Seite. Dann ändert sich nichts.',
    },
    email_released: {
      heading: 'Ihre E-Mail-Adresse ist freigegeben',
      body: 'Das Konto {username} verwendet die Adresse {email} nicht.',
    },
  },
  emails: {
    'change-email': {
      subject: 'Bestätigen Sie Ihre neue E-Mail-Adresse bei {site}',
      preheader: 'Bestätigen Sie, dass das Konto {username} diese Adresse verwenden darf.',
      before: ['jemand, vermutlich Sie, möchte diese E-Mail-Adresse für das Konto {username} verwenden.'],
      invitation: 'Wenn das Konto Ihres ist, bestätigen Sie die Adresse:',
      button: 'Diese Adresse verwenden',
      after: [
        'Der Link funktioniert einmal und gilt {duration}.',
        'Wenn das Konto nicht Ihres ist, öffnen Sie den Link nicht: Ohne ihn ändert sich nichts.',
      ],
      release: {
        invitation:
          'Nicht Ihr Konto? Wenn die Adresse versehentlich bestätigt wurde, nehmen Sie sie aus dem Konto:',
        label: 'Diese Adresse freigeben',
      },
      reason: 'Sie erhalten diese E-Mail, weil Ihre Adresse für ein Konto angegeben wurde.',
    },
    'email-changed': {
      subject: 'Die E-Mail-Adresse Ihres Kontos bei {site} wurde geändert',
      preheader: 'Wenn Sie das nicht waren, schützen Sie Ihr Konto.',
      before: [
        'Ihr Konto verwendet diese E-Mail-Adresse nicht mehr. E-Mails dazu kommen nicht mehr hierher.',
        'Wenn Sie das waren oder darum gebeten haben, brauchen Sie nichts zu tun.',
      ],
      invitation:
        'Wenn Sie das nicht waren, schützen Sie Ihr Konto: Wir stellen diese Adresse wieder her, melden alle ab und senden Ihnen einen Link, mit dem Sie ein neues Passwort wählen.',
      button: 'Mein Konto schützen',
      after: [
        'Der Link funktioniert einmal und gilt {duration}.',
        'Wenn Sie kurz zuvor eine solche E-Mail mit einem Link erhalten haben, macht jener Link auch diese Änderung rückgängig.',
      ],
    },
    'email-taken': {
      subject: 'Ihre E-Mail-Adresse ist bei {site} in Gebrauch',
      preheader: 'Das Konto {username} verwendet sie.',
      before: [
        'jemand, vermutlich Sie, wollte diese E-Mail-Adresse für ein anderes Konto verwenden. Das Konto {username} hat sie bereits, und jede Adresse kann nur zu einem Konto gehören.',
        'Wenn Sie das waren, melden Sie sich mit jenem Konto an, oder geben Sie ihm zuerst eine andere Adresse.',
        'Wenn Sie das nicht waren, brauchen Sie nichts zu tun: Es wurde nichts geändert.',
      ],
      reason: 'Sie erhalten diese E-Mail, weil Ihre Adresse für ein Konto angegeben wurde.',
    },
  },
}

export const fr: Translated<typeof en> = {
  responses: {
    change_email: 'Si l’adresse peut être utilisée, un lien de confirmation vient d’y être envoyé.',
    email_changed: 'L’adresse e-mail a été modifiée.',
    email_undone:
      'La modification a été annulée. Un lien permettant de choisir un nouveau mot de passe vient d’être envoyé.',
    email_kept: 'La nouvelle adresse e-mail est conservée. Le lien d’annulation ne fonctionne plus.',
    email_released: 'Le compte n’utilise pas cette adresse e-mail.',
  },
  pages: {
    email_change: {
      heading: 'Utiliser cette adresse e-mail',
      body: 'Le compte {username} utilisera désormais l’adresse {email}.',
      button: 'Utiliser cette adresse',
      otherwise: 'Si ce compte n’est pas le vôtre, fermez cette page.',
    },
    email_changed: {
      heading: 'Votre adresse e-mail a été modifiée',
      body: 'Le compte {username} utilise maintenant l’adresse {email}.',
    },
    email_undo: {
      heading: 'Annuler la modification de votre adresse e-mail',
      body: 'Si vous n’avez pas modifié l’adresse e-mail du compte {username}, cliquez ci-dessous. Nous rétablirons l’adresse {email}, déconnecterons tout le monde, désactiverons le mot de passe actuel et vous enverrons un lien permettant d’en choisir un nouveau.',
      button: 'Sécuriser mon compte',
      otherwise: 'Si vous avez modifié l’adresse vous-même, fermez cette page. Rien ne changera.',
      keep: 'Je l’ai modifiée moi-même et je veux que ce lien ne fonctionne plus',
    },
    email_undone: {
      heading: 'La modification a été annulée',
      body: 'Le compte {username} utilise de nouveau l’adresse {email}. Vous avez été déconnecté de tous les appareils. Nous avons envoyé à cette adresse un lien permettant de choisir un nouveau mot de passe.',
    },
    email_keep: {
      heading: 'Conserver la nouvelle adresse e-mail',
      body: 'Si vous avez modifié vous-même l’adresse e-mail du compte {username}, ou si vous avez cédé le compte, cliquez ci-dessous. Le lien d’annulation ne fonctionnera plus, et personne ne pourra reprendre le compte avec l’adresse {email}.',
      button: 'Conserver la nouvelle adresse',
      otherwise:
        'Si vous n’avez pas modifié l’adresse, ne cliquez pas. Revenez en arrière et sécurisez votre compte.',
    },
    email_kept: {
      heading: 'La nouvelle adresse e-mail est conservée',
      body: 'Le compte {username} ne peut plus être repris avec l’adresse {email}.',
    },
    email_release: {
      heading: 'Libérer cette adresse e-mail',
      body: 'Si le compte {username} n’est pas le vôtre, cliquez ci-dessous. Nous retirerons l’adresse {email} du compte, qui ne pourra l’utiliser que si vous la confirmez de nouveau.',
      button: 'Libérer cette adresse',
      otherwise: 'Si ce compte est le vôtre, fermez cette page. Rien ne changera.',
    },
    email_released: {
      heading: 'Votre adresse e-mail est libérée',
      body: 'Le compte {username} n’utilise pas l’adresse {email}.',
    },
  },
  emails: {
    'change-email': {
      subject: 'Confirmez votre nouvelle adresse e-mail sur {site}',
      preheader: 'Confirmez que le compte {username} peut utiliser cette adresse.',
      before: [
        'Quelqu’un, probablement vous, a demandé à utiliser cette adresse e-mail pour le compte {username}.',
      ],
      invitation: 'Si ce compte est le vôtre, confirmez l’adresse\u00a0:',
      button: 'Utiliser cette adresse',
      after: [
        'Le lien fonctionne une seule fois, pendant {duration}.',
        'Si ce compte n’est pas le vôtre, n’ouvrez pas le lien\u00a0: sans cela, rien ne change.',
      ],
      release: {
        invitation:
          'Ce n’est pas votre compte\u202f? Si l’adresse a été confirmée par erreur, retirez-la du compte\u00a0:',
        label: 'Libérer cette adresse',
      },
      reason: 'Vous recevez cet e-mail parce que votre adresse a été indiquée pour un compte.',
    },
    'email-changed': {
      subject: 'L’adresse e-mail de votre compte sur {site} a été modifiée',
      preheader: 'Si ce n’était pas vous, sécurisez votre compte.',
      before: [
        'Votre compte n’utilise plus cette adresse e-mail. Les e-mails à son sujet n’arrivent plus ici.',
        'Si c’était vous ou si vous l’avez demandé, vous n’avez rien à faire.',
      ],
      invitation:
        'Si ce n’était pas vous, sécurisez votre compte\u00a0: nous rétablirons cette adresse, déconnecterons tout le monde et vous enverrons un lien permettant de choisir un nouveau mot de passe.',
      button: 'Sécuriser mon compte',
      after: [
        'Le lien fonctionne une seule fois, pendant {duration}.',
        'Si vous avez reçu peu avant un e-mail semblable avec un lien, ce lien annule aussi cette modification.',
      ],
    },
    'email-taken': {
      subject: 'Votre adresse e-mail est utilisée sur {site}',
      preheader: 'Le compte {username} l’utilise.',
      before: [
        'Quelqu’un, probablement vous, a voulu utiliser cette adresse e-mail pour un autre compte. Le compte {username} l’utilise déjà, et une adresse ne peut appartenir qu’à un seul compte.',
        'Si c’était vous, connectez-vous avec ce compte, ou donnez-lui d’abord une autre adresse.',
        'Si ce n’était pas vous, vous n’avez rien à faire\u00a0: rien n’a été modifié.',
      ],
      reason: 'Vous recevez cet e-mail parce que votre adresse a été indiquée pour un compte.',
    },
  },
}
