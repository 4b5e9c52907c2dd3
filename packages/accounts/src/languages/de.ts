import type { Translation } from './texts.js'

/** German, with „Sie“; „Quotes“, dashes with spaces. */
export const de: Translation = {
  errors: {
    ACCOUNTS_INVALID_INPUT: 'Einige Angaben können nicht angenommen werden.',
    ACCOUNTS_INVALID_LINK:
      'Dieser Link ist nicht oder nicht mehr gültig. Wollten Sie damit ein Passwort wählen oder eine Adresse bestätigen, fordern Sie einen neuen an.',
    ACCOUNTS_INVALID_CREDENTIALS: 'Benutzername, E-Mail-Adresse oder Passwort ist falsch.',
    ACCOUNTS_LOGIN_REQUIRED: 'Melden Sie sich zuerst an.',
    ACCOUNTS_NOT_VERIFIED: 'Die E-Mail-Adresse dieses Kontos muss zuerst bestätigt werden.',
    ACCOUNTS_DISABLED: 'Dieses Konto ist gesperrt.',
    ACCOUNTS_FORBIDDEN: 'Sie sind dazu nicht berechtigt.',
    ACCOUNTS_CONFIRMATION_REQUIRED: 'Bestätigen Sie zuerst Ihr Passwort.',
    ACCOUNTS_CROSS_SITE:
      'Diese Anfrage kommt von einer anderen Website. Wenn es Ihre eigene ist, tragen Sie ihren Ursprung in die Option trustedOrigins ein.',
    ACCOUNTS_NOT_FOUND: 'Unter dieser Kennung gibt es hier nichts.',
    ACCOUNTS_METHOD_NOT_ALLOWED: 'Diese Methode ist hier nicht möglich.',
    ACCOUNTS_USERNAME_TAKEN: 'Dieser Benutzername ist vergeben.',
    ACCOUNTS_EMAIL_TAKEN: 'Mit dieser E-Mail-Adresse gibt es bereits ein Konto.',
    ACCOUNTS_CONFLICT:
      'Das passt nicht zum jetzigen Stand des Kontos. Laden Sie neu und versuchen Sie es noch einmal.',
    ACCOUNTS_THROTTLED: 'Zu viele Versuche. Warten Sie eine Weile.',
    ACCOUNTS_UNAVAILABLE: 'Der Dienst kann gerade nicht antworten. Versuchen Sie es in Kürze noch einmal.',
  },
  fields: {
    required: 'Diese Angabe ist erforderlich.',
    invalid: 'Diese Angabe ist ungültig.',
    unknown: 'Dieses Feld gibt es nicht.',
    too_short: 'Diese Angabe ist zu kurz.',
    too_long: 'Diese Angabe ist zu lang.',
    too_common: 'Dieses Passwort ist zu leicht zu erraten.',
    mismatch: 'Die beiden Passwörter stimmen nicht überein.',
    incorrect: 'Dieses Passwort ist falsch.',
    unchanged: 'Das neue Passwort ist das alte.',
  },
  details: {
    min_length: { one: 'Mindestens {count} Zeichen.', other: 'Mindestens {count} Zeichen.' },
    max_length: { one: 'Höchstens {count} Zeichen.', other: 'Höchstens {count} Zeichen.' },
    username_characters: 'Nur Buchstaben, Ziffern und die Zeichen @.+-_',
    username_address:
      'Eine E-Mail-Adresse darf nur dann Benutzername sein, wenn es die desselben Kontos ist.',
    username_reserved: 'Dieser Name ist reserviert.',
    email_unchanged: 'Das ist die Adresse bereits.',
    fields_size: 'Zusammen dürfen diese Felder höchstens {count} KiB einnehmen.',
    body_utf8: 'Der Inhalt muss UTF-8 sein.',
    body_bom: 'Der Inhalt darf nicht mit einem BOM beginnen.',
    body_json: 'Der Inhalt muss JSON sein.',
    body_form: 'Der Inhalt muss prozentkodiertes UTF-8 sein.',
  },
  answers: {
    forgot:
      'Wenn es ein Konto mit dieser Adresse gibt, ist ein Link unterwegs, mit dem ein neues Passwort gewählt werden kann.',
    reset_done: 'Das Passwort wurde geändert.',
    confirm: 'Ein Link zum Bestätigen der E-Mail-Adresse ist unterwegs.',
    resend: 'Wenn ein Konto auf die Bestätigung dieser Adresse wartet, ist ein neuer Link unterwegs.',
    change_email: 'Wenn die Adresse verwendet werden kann, ist ein Link zum Bestätigen dorthin unterwegs.',
    email_changed: 'Die E-Mail-Adresse wurde geändert.',
    email_undone:
      'Die Änderung wurde rückgängig gemacht. Ein Link, mit dem ein neues Passwort gewählt werden kann, ist unterwegs.',
    email_kept:
      'Die neue E-Mail-Adresse bleibt. Der Link, der die Änderung rückgängig macht, funktioniert nicht mehr.',
    email_released: 'Das Konto verwendet diese E-Mail-Adresse nicht.',
    not_me: 'Alle sind abgemeldet. Ein Link, mit dem ein neues Passwort gewählt werden kann, ist unterwegs.',
  },
  pages: {
    faulty: 'Fehler: {title}',
    onward: 'Weiter zu {site}',
    reset_form: {
      heading: 'Neues Passwort wählen',
      account: 'Für das Konto {username}.',
      new_password: 'Neues Passwort',
      confirm_password: 'Neues Passwort, noch einmal',
      button: 'Passwort festlegen',
    },
    reset_done: {
      heading: 'Ihr Passwort wurde geändert',
      body: 'Sie können sich jetzt mit dem neuen Passwort anmelden. Alle Geräte, die bisher angemeldet waren, sind abgemeldet.',
    },
    change_form: {
      heading: 'Passwort ändern',
      old_password: 'Bisheriges Passwort',
      button: 'Passwort ändern',
    },
    changed: {
      heading: 'Ihr Passwort wurde geändert',
      body: 'Hier sind Sie weiterhin angemeldet. Alle anderen Geräte sind abgemeldet.',
    },
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
    not_me: {
      heading: 'Schützen Sie Ihr Konto',
      body: 'Wenn Sie sich nicht beim Konto {username} angemeldet haben, kennt jemand anders das Passwort. Klicken Sie unten: Wir melden alle ab, machen das jetzige Passwort ungültig und senden Ihnen einen Link, mit dem Sie ein neues wählen.',
      button: 'Mein Konto schützen',
      otherwise: 'Wenn Sie es waren, schließen Sie diese Seite. Dann ändert sich nichts.',
    },
    not_me_done: {
      heading: 'Sie sind auf allen Geräten abgemeldet',
      body: 'Das alte Passwort des Kontos {username} gilt nicht mehr. Wir haben Ihnen einen Link gesendet, mit dem Sie ein neues wählen.',
    },
    problem: {
      link: 'Dieser Link funktioniert nicht',
      login: 'Sie sind nicht angemeldet',
      throttled: 'Zu viele Versuche',
      unavailable: 'Zurzeit nicht verfügbar',
      failed: 'Das hat nicht geklappt',
      unexpected: 'Etwas ist schiefgegangen.',
    },
  },
  emails: {
    common: {
      greeting: 'Guten Tag {username},',
      otherwise: 'Wenn die Schaltfläche nicht funktioniert, öffnen Sie diese Adresse:',
      heldBack:
        'Das ist öfter vorgekommen, als wir Ihnen geschrieben haben: Weitere Mails haben wir zurückgehalten; diese steht für alle.',
    },
    'reset-password': {
      subject: 'Neues Passwort für Ihr Konto bei {site}',
      preheader: 'Der Link funktioniert einmal und gilt {duration}.',
      before: [
        'für Ihr Konto {username} bei {site} wurde ein neues Passwort angefordert, vermutlich von Ihnen.',
      ],
      invitation: 'Hier können Sie es wählen:',
      button: 'Neues Passwort wählen',
      after: [
        'Der Link funktioniert einmal und gilt {duration}.',
        'Wenn Sie das nicht waren, brauchen Sie nichts zu tun: Ihr Passwort bleibt, wie es ist.',
      ],
      reason:
        'Sie erhalten diese E-Mail, weil bei {site} mit Ihrer Adresse ein neues Passwort angefordert wurde.',
    },
    'choose-password': {
      subject: 'Wählen Sie ein neues Passwort bei {site}',
      preheader: 'Das alte öffnet Ihr Konto {username} nicht mehr.',
      before: [
        'Ihr Konto {username} bei {site} wurde über einen Link in einer E-Mail an Sie gesperrt: Das alte Passwort öffnet es nicht mehr, und alle sind abgemeldet.',
      ],
      invitation: 'Um sich wieder anzumelden, wählen Sie ein neues Passwort:',
      button: 'Neues Passwort wählen',
      after: [
        'Der Link funktioniert einmal und gilt {duration}. Danach hilft „Passwort vergessen“ bei {site}.',
      ],
      reason:
        'Sie erhalten diese E-Mail, weil das Passwort Ihres Kontos bei {site} ungültig gemacht wurde. Sie lässt sich nicht abbestellen.',
    },
    'verify-email': {
      subject: 'Bestätigen Sie Ihre E-Mail-Adresse bei {site}',
      preheader: 'Ein Klick, und Ihr Konto {username} ist bereit.',
      before: ['bei {site} wurde mit dieser E-Mail-Adresse ein Konto namens {username} angelegt.'],
      invitation: 'Wenn es Ihres ist, bestätigen Sie die Adresse:',
      button: 'Adresse bestätigen',
      after: [
        'Der Link gilt {duration}.',
        'Wenn es nicht Ihres ist, öffnen Sie den Link nicht: Ohne ihn bleibt die Adresse unbestätigt.',
      ],
      reason: 'Sie erhalten diese E-Mail, weil bei {site} Ihre Adresse für ein neues Konto angegeben wurde.',
    },
    'account-exists': {
      subject: 'Sie haben bereits ein Konto bei {site}',
      preheader: 'Sie können sich mit dem Konto {username} anmelden.',
      before: [
        'jemand, vermutlich Sie, wollte sich bei {site} mit dieser E-Mail-Adresse registrieren. Mit ihr gibt es bereits ein Konto namens {username}; deshalb wurde kein zweites angelegt.',
        'Sie können sich damit anmelden.',
      ],
      invitation: 'Wenn Sie das Passwort nicht mehr kennen, wählen Sie ein neues:',
      button: 'Neues Passwort wählen',
      after: [
        'Der Link funktioniert einmal und gilt {duration}.',
        'Wenn Sie das nicht waren, brauchen Sie nichts zu tun: Es wurde nichts geändert.',
      ],
      reason: 'Sie erhalten diese E-Mail, weil bei {site} Ihre Adresse für ein neues Konto angegeben wurde.',
    },
    'password-changed': {
      subject: 'Ihr Passwort bei {site} wurde geändert',
      preheader: 'Wenn Sie das nicht waren, lesen Sie bitte weiter.',
      before: [
        'das Passwort Ihres Kontos {username} bei {site} wurde soeben geändert, und andere Geräte wurden abgemeldet.',
        'Wenn Sie das waren, brauchen Sie nichts zu tun.',
        'Wenn Sie das nicht waren, kennt vielleicht jemand anders Ihr Passwort: Wählen Sie bei {site} sofort über „Passwort vergessen“ ein neues.',
      ],
      reason:
        'Sie erhalten diese E-Mail, weil das Passwort Ihres Kontos bei {site} geändert wurde. Sie lässt sich nicht abbestellen.',
    },
    'change-email': {
      subject: 'Bestätigen Sie Ihre neue E-Mail-Adresse bei {site}',
      preheader: 'Ein Klick, und das Konto {username} verwendet diese Adresse.',
      before: ['das Konto {username} bei {site} soll von nun an diese E-Mail-Adresse verwenden.'],
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
      reason: 'Sie erhalten diese E-Mail, weil bei {site} Ihre Adresse für ein Konto angegeben wurde.',
    },
    'email-changed': {
      subject: 'Die E-Mail-Adresse Ihres Kontos bei {site} wurde geändert',
      preheader: 'Wenn Sie das nicht waren, lesen Sie bitte weiter.',
      before: [
        'Ihr Konto {username} bei {site} verwendet diese E-Mail-Adresse nicht mehr. E-Mails dazu kommen nicht mehr hierher.',
        'Wenn Sie das waren, brauchen Sie nichts zu tun.',
      ],
      invitation:
        'Wenn Sie das nicht waren, schützen Sie Ihr Konto: Wir stellen diese Adresse wieder her, melden alle ab und senden Ihnen einen Link, mit dem Sie ein neues Passwort wählen.',
      button: 'Mein Konto schützen',
      after: [
        'Der Link funktioniert einmal und gilt {duration}.',
        'Wenn Sie kurz zuvor eine solche E-Mail mit einem Link erhalten haben, macht jener Link auch diese Änderung rückgängig.',
      ],
      reason:
        'Sie erhalten diese E-Mail, weil Ihr Konto bei {site} diese E-Mail-Adresse hatte. Sie lässt sich nicht abbestellen.',
    },
    'email-taken': {
      subject: 'Ihre E-Mail-Adresse ist bei {site} in Gebrauch',
      preheader: 'Das Konto {username} verwendet sie.',
      before: [
        'jemand, vermutlich Sie, wollte diese E-Mail-Adresse für ein anderes Konto bei {site} verwenden. Das Konto {username} hat sie bereits, und eine Adresse gehört zu einem Konto.',
        'Wenn Sie das waren, melden Sie sich als {username} an, oder geben Sie jenem Konto zuerst eine andere Adresse.',
        'Wenn Sie das nicht waren, brauchen Sie nichts zu tun: Es wurde nichts geändert.',
      ],
      reason: 'Sie erhalten diese E-Mail, weil bei {site} Ihre Adresse für ein Konto angegeben wurde.',
    },
    'new-device': {
      subject: 'Neue Anmeldung bei Ihrem Konto bei {site}',
      preheader: 'Wenn Sie das nicht waren, lesen Sie bitte weiter.',
      before: [
        'jemand, vermutlich Sie, hat sich mit einem unbekannten Gerät bei Ihrem Konto {username} bei {site} angemeldet.',
        'Das Gerät: {device}.',
        'Wenn Sie das waren, brauchen Sie nichts zu tun.',
      ],
      invitation:
        'Wenn Sie das nicht waren, kennt jemand anders Ihr Passwort. Melden Sie alle ab, und wählen Sie ein neues:',
      button: 'Mein Konto schützen',
      after: ['Der Link gilt {duration}.'],
      reason:
        'Sie erhalten diese E-Mail wegen einer Anmeldung bei Ihrem Konto bei {site}. Sie lässt sich nicht abbestellen.',
    },
  },
}
