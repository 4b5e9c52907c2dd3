import type { Translated } from 'fastify-accounts/features'

export const en = {
  errors: {
    ACCOUNTS_INVALID_PASSKEY: 'This passkey couldn’t be added. Try again.',
  },
  pages: {
    begin_with_passkey: 'Create a passkey instead',
  },
  reasons: {
    ACCOUNTS_ENROLLMENT_REQUIRED: {
      has_passkey: 'First confirm with the passkey that you already have, or turn on two-step verification.',
    },
    ACCOUNTS_NOT_FOUND: {
      no_passkey: 'Your account has no passkey. Confirm another way.',
    },
  },
  emails: {
    'passkey-added': {
      subject: 'Passkey added to your account at {site}',
      preheader: 'If this wasn’t you, secure your account.',
      before: [
        'A passkey was added to your account {username} at {site}.',
        'The passkey: {label}.',
        'If this was you, you don’t need to do anything.',
      ],
      invitation:
        'If this wasn’t you, someone else can log in to your account. Log everyone out and set a new password:',
      button: 'Secure my account',
      after: ['The link works for {duration}.'],
      reason:
        'You received this email because a passkey was added to your account at {site}. These emails can’t be turned off.',
    },
    'passkey-removed': {
      subject: 'Passkey removed from your account at {site}',
      preheader: 'If this wasn’t you, secure your account.',
      before: [
        'A passkey was removed from your account {username} at {site}. It can no longer be used to log in. If it was your only two-step verification method, the password alone is now enough to log in.',
        'The passkey: {label}.',
        'If this was you, you don’t need to do anything.',
      ],
      invitation:
        'If this wasn’t you, someone else can log in to your account. Log everyone out and set a new password:',
      button: 'Secure my account',
      after: ['The link works for {duration}.'],
      reason:
        'You received this email because a passkey was removed from your account at {site}. These emails can’t be turned off.',
    },
  },
} as const

export const de: Translated<typeof en> = {
  errors: {
    ACCOUNTS_INVALID_PASSKEY: 'Dieser Passkey konnte nicht hinzugefügt werden. Versuchen Sie es noch einmal.',
  },
  pages: {
    begin_with_passkey: 'Stattdessen einen Passkey erstellen',
  },
  reasons: {
    ACCOUNTS_ENROLLMENT_REQUIRED: {
      has_passkey:
        'Bestätigen Sie zuerst mit dem Passkey, den Sie schon haben, oder schalten Sie die Bestätigung in zwei Schritten ein.',
    },
    ACCOUNTS_NOT_FOUND: {
      no_passkey: 'Ihr Konto hat keinen Passkey. Bestätigen Sie auf andere Weise, dass Sie es sind.',
    },
  },
  emails: {
    'passkey-added': {
      subject: 'Passkey zu Ihrem Konto bei {site} hinzugefügt',
      preheader: 'Wenn Sie das nicht waren, schützen Sie Ihr Konto.',
      before: [
        'zu Ihrem Konto {username} bei {site} wurde ein Passkey hinzugefügt.',
        'Der Passkey: {label}.',
        'Wenn Sie das waren, brauchen Sie nichts zu tun.',
      ],
      invitation:
        'Wenn Sie das nicht waren, kann sich jemand anders bei Ihrem Konto anmelden. Melden Sie alle ab und wählen Sie ein neues Passwort:',
      button: 'Mein Konto schützen',
      after: ['Der Link gilt {duration}.'],
      reason:
        'Sie erhalten diese E-Mail, weil zu Ihrem Konto bei {site} ein Passkey hinzugefügt wurde. Sie lässt sich nicht abbestellen.',
    },
    'passkey-removed': {
      subject: 'Passkey von Ihrem Konto bei {site} entfernt',
      preheader: 'Wenn Sie das nicht waren, schützen Sie Ihr Konto.',
      before: [
        'von Ihrem Konto {username} bei {site} wurde ein Passkey entfernt. Eine Anmeldung damit ist nicht mehr möglich. War er Ihre einzige Methode der Bestätigung in zwei Schritten, genügt zur Anmeldung nun das Passwort.',
        'Der Passkey: {label}.',
        'Wenn Sie das waren, brauchen Sie nichts zu tun.',
      ],
      invitation:
        'Wenn Sie das nicht waren, kann sich jemand anders bei Ihrem Konto anmelden. Melden Sie alle ab und wählen Sie ein neues Passwort:',
      button: 'Mein Konto schützen',
      after: ['Der Link gilt {duration}.'],
      reason:
        'Sie erhalten diese E-Mail, weil von Ihrem Konto bei {site} ein Passkey entfernt wurde. Sie lässt sich nicht abbestellen.',
    },
  },
}

export const fr: Translated<typeof en> = {
  errors: {
    ACCOUNTS_INVALID_PASSKEY: 'Cette clé d’accès n’a pas pu être ajoutée. Réessayez.',
  },
  pages: {
    begin_with_passkey: 'Créer plutôt une clé d’accès',
  },
  reasons: {
    ACCOUNTS_ENROLLMENT_REQUIRED: {
      has_passkey:
        'Confirmez d’abord avec la clé d’accès que vous avez déjà, ou activez la validation en deux étapes.',
    },
    ACCOUNTS_NOT_FOUND: {
      no_passkey: 'Votre compte n’a pas de clé d’accès. Confirmez autrement que c’est bien vous.',
    },
  },
  emails: {
    'passkey-added': {
      subject: 'Clé d’accès ajoutée à votre compte sur {site}',
      preheader: 'Si ce n’était pas vous, sécurisez votre compte.',
      before: [
        'Une clé d’accès a été ajoutée à votre compte {username} sur {site}.',
        'La clé d’accès\u00a0: {label}.',
        'Si c’était vous, vous n’avez rien à faire.',
      ],
      invitation:
        'Si ce n’était pas vous, quelqu’un d’autre peut se connecter à votre compte. Déconnectez tout le monde et choisissez un nouveau mot de passe\u00a0:',
      button: 'Sécuriser mon compte',
      after: ['Le lien est valable {duration}.'],
      reason:
        'Vous recevez cet e-mail parce qu’une clé d’accès a été ajoutée à votre compte sur {site}. Il n’est pas possible de s’en désabonner.',
    },
    'passkey-removed': {
      subject: 'Clé d’accès retirée de votre compte sur {site}',
      preheader: 'Si ce n’était pas vous, sécurisez votre compte.',
      before: [
        'Une clé d’accès a été retirée de votre compte {username} sur {site}. Elle ne permet plus de se connecter. Si c’était votre seule méthode de validation en deux étapes, le mot de passe suffit désormais.',
        'La clé d’accès\u00a0: {label}.',
        'Si c’était vous, vous n’avez rien à faire.',
      ],
      invitation:
        'Si ce n’était pas vous, quelqu’un d’autre peut se connecter à votre compte. Déconnectez tout le monde et choisissez un nouveau mot de passe\u00a0:',
      button: 'Sécuriser mon compte',
      after: ['Le lien est valable {duration}.'],
      reason:
        'Vous recevez cet e-mail parce qu’une clé d’accès a été retirée de votre compte sur {site}. Il n’est pas possible de s’en désabonner.',
    },
  },
}
