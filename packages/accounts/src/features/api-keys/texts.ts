import type { Translated } from '../../languages/texts.js'

export const en = {
  reasons: {
    ACCOUNTS_LOGIN_REQUIRED: {
      api_key: 'This can’t be done with an API key. Log in.',
      invalid_api_key: 'This API key is wrong, has expired or was removed.',
    },
    ACCOUNTS_FORBIDDEN: {
      missing_scope: 'This API key isn’t allowed to do this.',
    },
  },
  emails: {
    'api-key-added': {
      subject: 'API key created for your account at {site}',
      before: [
        'An API key was created for your account. A program that has it can use your account, as far as the key allows.',
        'If this was you, you don’t need to do anything.',
      ],
      lines: ['API key: {label}'],
      invitation:
        'If this wasn’t you, someone else can use your account. Log everyone out, remove all API keys and set a new password:',
    },
    'api-key-removed': {
      subject: 'API key of your account at {site} removed',
      before: [
        'An API key of your account was removed. Programs that have it can no longer use your account.',
        'If this was you, you don’t need to do anything.',
      ],
      lines: ['API key: {label}'],
    },
  },
} as const

export const de: Translated<typeof en> = {
  reasons: {
    ACCOUNTS_LOGIN_REQUIRED: {
      api_key: 'Das geht nicht mit einem API-Schlüssel. Melden Sie sich an.',
      invalid_api_key: 'Dieser API-Schlüssel ist falsch, abgelaufen oder entfernt worden.',
    },
    ACCOUNTS_FORBIDDEN: {
      missing_scope: 'Dieser API-Schlüssel berechtigt nicht dazu.',
    },
  },
  emails: {
    'api-key-added': {
      subject: 'API-Schlüssel für Ihr Konto bei {site} erstellt',
      before: [
        'für Ihr Konto wurde ein API-Schlüssel erstellt. Ein Programm, das ihn hat, kann Ihr Konto nutzen, soweit der Schlüssel es erlaubt.',
        'Wenn Sie das waren, brauchen Sie nichts zu tun.',
      ],
      lines: ['API-Schlüssel: {label}'],
      invitation:
        'Wenn Sie das nicht waren, kann jemand anders Ihr Konto nutzen. Melden Sie alle ab, entfernen Sie alle API-Schlüssel und wählen Sie ein neues Passwort:',
    },
    'api-key-removed': {
      subject: 'API-Schlüssel Ihres Kontos bei {site} entfernt',
      before: [
        'von Ihrem Konto wurde ein API-Schlüssel entfernt. Programme, die ihn haben, können Ihr Konto nicht mehr nutzen.',
        'Wenn Sie das waren, brauchen Sie nichts zu tun.',
      ],
      lines: ['API-Schlüssel: {label}'],
    },
  },
}

export const fr: Translated<typeof en> = {
  reasons: {
    ACCOUNTS_LOGIN_REQUIRED: {
      api_key: 'Une clé d’API ne le permet pas. Connectez-vous.',
      invalid_api_key: 'Cette clé d’API est fausse, a expiré ou a été supprimée.',
    },
    ACCOUNTS_FORBIDDEN: {
      missing_scope: 'Cette clé d’API n’y donne pas droit.',
    },
  },
  emails: {
    'api-key-added': {
      subject: 'Une clé d’API a été créée pour votre compte sur {site}',
      before: [
        'Une clé d’API a été créée pour votre compte. Un programme qui la possède peut utiliser votre compte, dans la mesure où la clé l’autorise.',
        'Si c’était vous, vous n’avez rien à faire.',
      ],
      lines: ['Clé d’API\u00a0: {label}'],
      invitation:
        'Si ce n’était pas vous, quelqu’un d’autre peut utiliser votre compte. Déconnectez tout le monde, supprimez toutes les clés d’API et choisissez un nouveau mot de passe\u00a0:',
    },
    'api-key-removed': {
      subject: 'Une clé d’API de votre compte sur {site} a été supprimée',
      before: [
        'Une clé d’API de votre compte a été supprimée. Les programmes qui la possèdent ne peuvent plus utiliser votre compte.',
        'Si c’était vous, vous n’avez rien à faire.',
      ],
      lines: ['Clé d’API\u00a0: {label}'],
    },
  },
}
