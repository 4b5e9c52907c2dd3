import type { Translated } from '../../languages/texts.js'

export const en = {
  reasons: {
    ACCOUNTS_INVALID_INPUT: {
      proof_required: 'Show that the account is yours, or choose a new password.',
    },
    ACCOUNTS_CONFLICT: {
      already_verified: 'This email address has already been confirmed. Log in, or reset your password.',
    },
  },
  responses: {
    resend: 'If this address is waiting to be confirmed, we’ve emailed it a new link.',
  },
  pages: {
    verify: {
      heading: 'Confirm your email address',
      body: 'Confirm that {email} belongs to your account {username}. It was created on {created}.',
      button: 'Confirm',
      first_password: 'Choose a password to log in with.',
      otherwise: 'If you didn’t create this account, close this page.',
    },
    /** Where the account wasn't made in this browser. */
    verify_elsewhere: {
      heading: 'Confirm {email}',
      /** With a password, with a passkey only, and with neither. */
      body: 'Enter the password of the account {username}, created on {created}.',
      body_passkey: 'Use the passkey of the account {username}, created on {created}.',
      body_neither: 'The account {username} was created on {created}.',
      password: 'Password',
      button: 'Confirm',
      passkey: 'Confirm with passkey',
      hint: 'Or log in to the account in this browser, then open this link again.',
      new: 'I didn’t create this account, or can’t log in to it',
      new_body:
        'Choose a new password, and the account is yours. No earlier password will work, and everyone will be logged out.',
      new_button: 'Set password and confirm',
      otherwise: 'If you don’t want this account, close this page. The address stays unconfirmed.',
    },
    verified: {
      heading: 'Your email address is confirmed',
      body: 'The account {username} is ready. You can log in now.',
      body_email: 'The account {username} is ready. Now log in with a code that we email you.',
    },
  },
  emails: {
    'verify-email': {
      subject: 'Confirm your email address at {site}',
      preheader: 'Confirm your address to use your account {username}.',
      before: [
        'The account {username} was created on {created}. It has this email address: {address}',
        '{about}',
      ],
      invitation: 'If it’s yours, confirm the address:',
      button: 'Confirm my address',
      after: [
        'The link works for {duration}. In a different browser from the one used to sign up, it may ask you to show that the account is yours.',
        'If you didn’t create the account, you don’t need to do anything. The address will stay unconfirmed.',
      ],
      reason: 'You received this email because someone entered your address for an account.',
    },
  },
} as const

export const de: Translated<typeof en> = {
  reasons: {
    ACCOUNTS_INVALID_INPUT: {
      proof_required: 'Zeigen Sie, dass das Konto Ihnen gehört, oder wählen Sie ein neues Passwort.',
    },
    ACCOUNTS_CONFLICT: {
      already_verified:
        'Diese E-Mail-Adresse ist bereits bestätigt. Melden Sie sich an, oder setzen Sie Ihr Passwort zurück.',
    },
  },
  responses: {
    resend: 'Wenn ein Konto auf die Bestätigung dieser Adresse wartet, ist ein neuer Link unterwegs.',
  },
  pages: {
    verify: {
      heading: 'E-Mail-Adresse bestätigen',
      body: 'Bestätigen Sie, dass {email} zu Ihrem Konto {username} gehört. Es wurde am {created} angelegt.',
      button: 'Bestätigen',
      first_password: 'Wählen Sie ein Passwort, mit dem Sie sich anmelden.',
      otherwise: 'Wenn Sie dieses Konto nicht angelegt haben, schließen Sie diese Seite.',
    },
    verify_elsewhere: {
      heading: '{email} bestätigen',
      body: 'Geben Sie das Passwort des Kontos {username} ein, das am {created} angelegt wurde.',
      body_passkey: 'Verwenden Sie den Passkey des Kontos {username}, das am {created} angelegt wurde.',
      body_neither: 'Das Konto {username} wurde am {created} angelegt.',
      password: 'Passwort',
      button: 'Bestätigen',
      passkey: 'Mit Passkey bestätigen',
      hint: 'Oder melden Sie sich in diesem Browser bei dem Konto an und öffnen Sie diesen Link noch einmal.',
      new: 'Ich habe dieses Konto nicht angelegt oder kann mich nicht anmelden',
      new_body:
        'Wählen Sie ein neues Passwort, dann gehört das Konto Ihnen. Ein früheres Passwort gilt nicht mehr, und alle werden abgemeldet.',
      new_button: 'Passwort festlegen und bestätigen',
      otherwise:
        'Wenn Sie dieses Konto nicht möchten, schließen Sie diese Seite. Die Adresse bleibt unbestätigt.',
    },
    verified: {
      heading: 'Ihre E-Mail-Adresse ist bestätigt',
      body: 'Das Konto {username} ist bereit: Sie können sich jetzt anmelden.',
      body_email:
        'Das Konto {username} ist bereit. Melden Sie sich jetzt mit einem Code an, den wir Ihnen per E-Mail schicken.',
    },
  },
  emails: {
    'verify-email': {
      subject: 'Bestätigen Sie Ihre E-Mail-Adresse bei {site}',
      preheader: 'Bestätigen Sie Ihre Adresse, um Ihr Konto {username} zu verwenden.',
      before: [
        'das Konto {username} wurde am {created} angelegt. Es hat diese E-Mail-Adresse: {address}',
        '{about}',
      ],
      invitation: 'Wenn es Ihres ist, bestätigen Sie die Adresse:',
      button: 'Adresse bestätigen',
      after: [
        'Der Link gilt {duration}. In einem anderen Browser als dem der Registrierung fragt er eventuell nach, ob das Konto Ihnen gehört.',
        'Wenn Sie das Konto nicht angelegt haben, brauchen Sie nichts zu tun: Die Adresse bleibt unbestätigt.',
      ],
      reason: 'Sie erhalten diese E-Mail, weil Ihre Adresse für ein Konto angegeben wurde.',
    },
  },
}

export const fr: Translated<typeof en> = {
  reasons: {
    ACCOUNTS_INVALID_INPUT: {
      proof_required: 'Confirmez que le compte est à vous, ou choisissez un nouveau mot de passe.',
    },
    ACCOUNTS_CONFLICT: {
      already_verified:
        'Cette adresse e-mail est déjà confirmée. Connectez-vous ou réinitialisez votre mot de passe.',
    },
  },
  responses: {
    resend: 'Si un compte attend la confirmation de cette adresse, un nouveau lien vient d’être envoyé.',
  },
  pages: {
    verify: {
      heading: 'Confirmer votre adresse e-mail',
      body: 'Confirmez que {email} correspond bien à votre compte {username}, créé le {created}.',
      button: 'Confirmer',
      first_password: 'Choisissez un mot de passe pour vous connecter.',
      otherwise: 'Si vous n’avez pas créé ce compte, fermez cette page.',
    },
    verify_elsewhere: {
      heading: 'Confirmer {email}',
      body: 'Saisissez le mot de passe du compte {username}, créé le {created}.',
      body_passkey: 'Utilisez la clé d’accès du compte {username}, créé le {created}.',
      body_neither: 'Le compte {username} a été créé le {created}.',
      password: 'Mot de passe',
      button: 'Confirmer',
      passkey: 'Confirmer avec la clé d’accès',
      hint: 'Ou connectez-vous au compte dans ce navigateur, puis ouvrez de nouveau ce lien.',
      new: 'Je n’ai pas créé ce compte, ou je ne peux pas m’y connecter',
      new_body:
        'Choisissez un nouveau mot de passe, et le compte est à vous. Aucun mot de passe antérieur ne fonctionnera plus, et tout le monde sera déconnecté.',
      new_button: 'Définir le mot de passe et confirmer',
      otherwise: 'Si vous ne voulez pas de ce compte, fermez cette page. L’adresse reste non confirmée.',
    },
    verified: {
      heading: 'Votre adresse e-mail est confirmée',
      body: 'Le compte {username} est prêt\u00a0: vous pouvez maintenant vous connecter.',
      body_email:
        'Le compte {username} est prêt. Connectez-vous maintenant avec un code que nous vous enverrons par e-mail.',
    },
  },
  emails: {
    'verify-email': {
      subject: 'Confirmez votre adresse e-mail sur {site}',
      preheader: 'Confirmez votre adresse pour utiliser votre compte {username}.',
      before: [
        'Le compte {username} a été créé le {created}. Il a cette adresse e-mail\u00a0: {address}',
        '{about}',
      ],
      invitation: 'S’il est à vous, confirmez l’adresse\u00a0:',
      button: 'Confirmer mon adresse',
      after: [
        'Le lien fonctionne pendant {duration}. Dans un autre navigateur que celui de l’inscription, il peut vous demander de confirmer que le compte est à vous.',
        'Si vous n’avez pas créé ce compte, vous n’avez rien à faire\u00a0: l’adresse reste non confirmée.',
      ],
      reason: 'Vous recevez cet e-mail parce que votre adresse a été indiquée pour un compte.',
    },
  },
}
