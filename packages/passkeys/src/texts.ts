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
      before: ['A passkey was added to your account.', 'If this was you, you don’t need to do anything.'],
      lines: ['Passkey: {label}'],
      invitation:
        'If this wasn’t you, someone else can log in to your account. Log everyone out and set a new password:',
    },
    'passkey-removed': {
      subject: 'Passkey removed from your account at {site}',
      before: [
        'A passkey was removed from your account. It can no longer be used to log in. If it was your only two-step verification method, the password alone is now enough to log in.',
        'If this was you, you don’t need to do anything.',
      ],
      lines: ['Passkey: {label}'],
      invitation:
        'If this wasn’t you, someone else can log in to your account. Log everyone out and set a new password:',
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
      before: [
        'zu Ihrem Konto wurde ein Passkey hinzugefügt.',
        'Wenn Sie das waren, brauchen Sie nichts zu tun.',
      ],
      lines: ['Passkey: {label}'],
      invitation:
        'Wenn Sie das nicht waren, kann sich jemand anders bei Ihrem Konto anmelden. Melden Sie alle ab und wählen Sie ein neues Passwort:',
    },
    'passkey-removed': {
      subject: 'Passkey von Ihrem Konto bei {site} entfernt',
      before: [
        'von Ihrem Konto wurde ein Passkey entfernt. Eine Anmeldung damit ist nicht mehr möglich. War er Ihre einzige Methode der Bestätigung in zwei Schritten, genügt zur Anmeldung nun das Passwort.',
        'Wenn Sie das waren, brauchen Sie nichts zu tun.',
      ],
      lines: ['Passkey: {label}'],
      invitation:
        'Wenn Sie das nicht waren, kann sich jemand anders bei Ihrem Konto anmelden. Melden Sie alle ab und wählen Sie ein neues Passwort:',
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
      before: ['Une clé d’accès a été ajoutée à votre compte.', 'Si c’était vous, vous n’avez rien à faire.'],
      lines: ['Clé d’accès\u00a0: {label}'],
      invitation:
        'Si ce n’était pas vous, quelqu’un d’autre peut se connecter à votre compte. Déconnectez tout le monde et choisissez un nouveau mot de passe\u00a0:',
    },
    'passkey-removed': {
      subject: 'Clé d’accès retirée de votre compte sur {site}',
      before: [
        'Une clé d’accès a été retirée de votre compte. Elle ne permet plus de se connecter. Si c’était votre seule méthode de validation en deux étapes, le mot de passe suffit désormais.',
        'Si c’était vous, vous n’avez rien à faire.',
      ],
      lines: ['Clé d’accès\u00a0: {label}'],
      invitation:
        'Si ce n’était pas vous, quelqu’un d’autre peut se connecter à votre compte. Déconnectez tout le monde et choisissez un nouveau mot de passe\u00a0:',
    },
  },
}
