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
      preheader: 'If this wasn’t you, secure your account.',
      before: [
        'An API key was created for your account {username} at {site}. A program that has it can use your account, as far as the key allows.',
        'The key: {label}.',
        'If this was you, you don’t need to do anything.',
      ],
      invitation:
        'If this wasn’t you, someone else can use your account. Log everyone out, remove all API keys and set a new password:',
      button: 'Secure my account',
      after: ['The link works for {duration}.'],
      reason:
        'You received this email because an API key was created for your account at {site}. These emails can’t be turned off.',
    },
    'api-key-removed': {
      subject: 'API key of your account at {site} removed',
      preheader: 'If this wasn’t you, secure your account.',
      before: [
        'An API key of your account {username} at {site} was removed. Programs that have it can no longer use your account.',
        'The key: {label}.',
        'If this was you, you don’t need to do anything.',
      ],
      invitation: 'If this wasn’t you, secure your account:',
      button: 'Secure my account',
      after: ['The link works for {duration}.'],
      reason:
        'You received this email because an API key of your account at {site} was removed. These emails can’t be turned off.',
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
      preheader: 'Wenn Sie das nicht waren, schützen Sie Ihr Konto.',
      before: [
        'für Ihr Konto {username} bei {site} wurde ein API-Schlüssel erstellt. Ein Programm, das ihn hat, kann Ihr Konto nutzen, soweit der Schlüssel es erlaubt.',
        'Der Schlüssel: {label}.',
        'Wenn Sie das waren, brauchen Sie nichts zu tun.',
      ],
      invitation:
        'Wenn Sie das nicht waren, kann jemand anders Ihr Konto nutzen. Melden Sie alle ab, entfernen Sie alle API-Schlüssel und wählen Sie ein neues Passwort:',
      button: 'Mein Konto schützen',
      after: ['Der Link gilt {duration}.'],
      reason:
        'Sie erhalten diese E-Mail, weil für Ihr Konto bei {site} ein API-Schlüssel erstellt wurde. Sie lässt sich nicht abbestellen.',
    },
    'api-key-removed': {
      subject: 'API-Schlüssel Ihres Kontos bei {site} entfernt',
      preheader: 'Wenn Sie das nicht waren, schützen Sie Ihr Konto.',
      before: [
        'von Ihrem Konto {username} bei {site} wurde ein API-Schlüssel entfernt. Programme, die ihn haben, können Ihr Konto nicht mehr nutzen.',
        'Der Schlüssel: {label}.',
        'Wenn Sie das waren, brauchen Sie nichts zu tun.',
      ],
      invitation: 'Wenn Sie das nicht waren, schützen Sie Ihr Konto:',
      button: 'Mein Konto schützen',
      after: ['Der Link gilt {duration}.'],
      reason:
        'Sie erhalten diese E-Mail, weil von Ihrem Konto bei {site} ein API-Schlüssel entfernt wurde. Sie lässt sich nicht abbestellen.',
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
      preheader: 'Si ce n’était pas vous, sécurisez votre compte.',
      before: [
        'Une clé d’API a été créée pour votre compte {username} sur {site}. Un programme qui la possède peut utiliser votre compte, dans la mesure où la clé l’autorise.',
        'La clé\u00a0: {label}.',
        'Si c’était vous, vous n’avez rien à faire.',
      ],
      invitation:
        'Si ce n’était pas vous, quelqu’un d’autre peut utiliser votre compte. Déconnectez tout le monde, supprimez toutes les clés d’API et choisissez un nouveau mot de passe\u00a0:',
      button: 'Sécuriser mon compte',
      after: ['Le lien est valable {duration}.'],
      reason:
        'Vous recevez cet e-mail parce qu’une clé d’API a été créée pour votre compte sur {site}. Il n’est pas possible de s’en désabonner.',
    },
    'api-key-removed': {
      subject: 'Une clé d’API de votre compte sur {site} a été supprimée',
      preheader: 'Si ce n’était pas vous, sécurisez votre compte.',
      before: [
        'Une clé d’API de votre compte {username} sur {site} a été supprimée. Les programmes qui la possèdent ne peuvent plus utiliser votre compte.',
        'La clé\u00a0: {label}.',
        'Si c’était vous, vous n’avez rien à faire.',
      ],
      invitation: 'Si ce n’était pas vous, sécurisez votre compte\u00a0:',
      button: 'Sécuriser mon compte',
      after: ['Le lien est valable {duration}.'],
      reason:
        'Vous recevez cet e-mail parce qu’une clé d’API de votre compte sur {site} a été supprimée. Il n’est pas possible de s’en désabonner.',
    },
  },
}
