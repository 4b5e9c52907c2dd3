import type { Translation } from './texts.js'

/** German, with „Sie“; „Quotes“, dashes with spaces. */
export const de: Translation = {
  errors: {
    ACCOUNTS_INVALID_INPUT: 'Einige Angaben sind ungültig.',
    ACCOUNTS_INVALID_LINK:
      'Dieser Link ist nicht oder nicht mehr gültig. Wollten Sie damit ein Passwort wählen oder eine Adresse bestätigen, fordern Sie einen neuen an.',
    ACCOUNTS_INVALID_CREDENTIALS: 'Benutzername, E-Mail-Adresse oder Passwort ist falsch.',
    ACCOUNTS_INVALID_OR_NOT_VERIFIED:
      'Die Anmeldung ist fehlgeschlagen. Wenn Sie sich gerade registriert haben, bestätigen Sie zuerst Ihre Adresse.',
    ACCOUNTS_SECOND_FACTOR_REQUIRED:
      'Geben Sie einen Code aus Ihrer Authenticator-App ein, oder verwenden Sie einen anderen zweiten Faktor.',
    ACCOUNTS_INVALID_CODE: 'Dieser Code ist falsch oder wurde schon verwendet.',
    ACCOUNTS_LOGIN_EXPIRED: 'Diese Anmeldung hat zu lange gedauert. Beginnen Sie von vorn.',
    ACCOUNTS_LOGIN_REQUIRED: 'Melden Sie sich zuerst an.',
    ACCOUNTS_NOT_VERIFIED: 'Die E-Mail-Adresse dieses Kontos muss zuerst bestätigt werden.',
    ACCOUNTS_DISABLED: 'Dieses Konto ist gesperrt.',
    ACCOUNTS_FORBIDDEN: 'Sie sind dazu nicht berechtigt.',
    ACCOUNTS_CONFIRMATION_REQUIRED: 'Bestätigen Sie zuerst, dass Sie es sind.',
    ACCOUNTS_ENROLLMENT_REQUIRED: 'Richten Sie zuerst einen zweiten Faktor ein.',
    ACCOUNTS_CROSS_SITE:
      'Diese Anfrage kommt von einer anderen Website. Wenn es Ihre eigene ist, tragen Sie ihren Ursprung in die Option trustedOrigins ein.',
    ACCOUNTS_NOT_FOUND: 'Nicht gefunden.',
    ACCOUNTS_METHOD_NOT_ALLOWED: 'Methode nicht erlaubt.',
    ACCOUNTS_REQUEST_TIMEOUT:
      'Die Anfrage ist nicht rechtzeitig vollständig angekommen. Versuchen Sie es noch einmal.',
    ACCOUNTS_USERNAME_TAKEN: 'Dieser Benutzername ist vergeben.',
    ACCOUNTS_EMAIL_TAKEN: 'Mit dieser E-Mail-Adresse gibt es bereits ein Konto.',
    ACCOUNTS_CONFLICT:
      'Das passt nicht zum jetzigen Stand des Kontos. Laden Sie neu und versuchen Sie es noch einmal.',
    ACCOUNTS_THROTTLED: 'Zu viele Versuche. Versuchen Sie es später noch einmal.',
    ACCOUNTS_UNAVAILABLE: 'Der Dienst ist zurzeit nicht verfügbar. Versuchen Sie es in Kürze noch einmal.',
  },
  fields: {
    required: 'Diese Angabe ist erforderlich.',
    invalid: 'Diese Angabe ist ungültig.',
    unknown: 'Dieses Feld gibt es nicht.',
    too_short: 'Diese Angabe ist zu kurz.',
    too_long: 'Diese Angabe ist zu lang.',
    too_common: 'Dieses Passwort ist zu leicht zu erraten.',
    breached: 'Dieses Passwort ist durch ein Datenleck bekannt geworden. Bitte wählen Sie ein anderes.',
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
    staff_deletes_itself:
      'Sie gehören zum Personal: Jemand anders vom Personal muss Ihnen diese Rechte nehmen, bevor Sie Ihr Konto löschen.',
    email_unchanged: 'Das ist die Adresse bereits.',
    fields_size: 'Zusammen dürfen diese Felder höchstens {count} KiB einnehmen.',
    factor_incorrect: 'Dieser Code ist falsch oder wurde schon verwendet.',
    passkey_incorrect: 'Dieser Passkey wurde nicht angenommen. Versuchen Sie es noch einmal.',
    confirm_passkey: 'Bestätigen Sie zuerst mit Ihrem Passkey, dass Sie es sind.',
    confirm_passkey_or_email:
      'Bestätigen Sie zuerst mit Ihrem Passkey oder einem Code an Ihre E-Mail-Adresse, dass Sie es sind.',
    body_utf8: 'Der Inhalt muss UTF-8 sein.',
    body_bom: 'Der Inhalt darf nicht mit einem BOM beginnen.',
    body_json: 'Der Inhalt muss JSON sein.',
    body_form: 'Der Inhalt muss prozentkodiertes UTF-8 sein.',
    host_header: 'Die Anfrage muss genau einen Host-Header haben.',
  },
  responses: {
    confirm: 'Ein Link zum Bestätigen der E-Mail-Adresse ist unterwegs.',
  },
  removed: {
    sentence:
      'Dies wurde entfernt, weil jemand anders es hinzugefügt haben könnte: {list}. Was davon Ihnen gehörte, können Sie nach der Anmeldung wieder einrichten.',
    passkeys: { one: '{count} Passkey', other: '{count} Passkeys' },
    apps: { one: '{count} Authenticator-App', other: '{count} Authenticator-Apps' },
    recovery_codes: { one: '{count} Wiederherstellungscode', other: '{count} Wiederherstellungscodes' },
    identities: {
      one: '{count} Anmeldung über einen anderen Anbieter',
      other: '{count} Anmeldungen über andere Anbieter',
    },
    remembered_devices: { one: '{count} gemerktes Gerät', other: '{count} gemerkte Geräte' },
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
    change_form: {
      heading: 'Passwort ändern',
      old_password: 'Bisheriges Passwort',
      button: 'Passwort ändern',
    },
    changed: {
      heading: 'Ihr Passwort wurde geändert',
      body: 'Hier sind Sie weiterhin angemeldet. Alle anderen Geräte sind abgemeldet.',
    },
    removes: {
      heading: 'Auch dies wird entfernt, weil jemand anders es hinzugefügt haben könnte:',
      hint: 'Was davon Ihnen gehört, können Sie danach wieder einrichten.',
    },
    removed: {
      heading: 'Dies wurde entfernt, weil jemand anders es hinzugefügt haben könnte:',
      hint: 'Was davon Ihnen gehörte, können Sie nach der Anmeldung wieder einrichten.',
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
        'Das ist mehrmals vorgekommen. Die späteren E-Mails haben wir zurückgehalten und stattdessen diese gesendet.',
    },
    'choose-password': {
      subject: 'Wählen Sie ein neues Passwort bei {site}',
      preheader: 'Das alte Passwort Ihres Kontos {username} gilt nicht mehr.',
      before: [
        'Ihr Konto {username} bei {site} wurde geschützt. Das alte Passwort gilt nicht mehr, und alle sind abgemeldet.',
      ],
      invitation: 'Um sich wieder anzumelden, wählen Sie ein neues Passwort:',
      button: 'Neues Passwort wählen',
      after: [
        'Der Link funktioniert einmal und gilt {duration}. Danach hilft „Passwort vergessen“ bei {site}.',
      ],
      reason:
        'Sie erhalten diese E-Mail, weil das Passwort Ihres Kontos bei {site} ungültig gemacht wurde. Sie lässt sich nicht abbestellen.',
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
    'account-changed': {
      subject: 'Ihr Konto bei {site} wurde geändert',
      preheader: 'Jemand, der bei {site} Konten verwaltet, hat es geändert.',
      before: [
        'jemand, der bei {site} Konten verwaltet, hat die Angaben zu Ihrem Konto geändert. Ihr Benutzername ist {username}.',
        'Melden Sie sich an, um zu sehen, wie Ihr Konto jetzt aussieht. Wenn Sie nicht wissen, warum es geändert wurde, fragen Sie bei {site} nach.',
      ],
      reason:
        'Sie erhalten diese E-Mail, weil die Angaben zu Ihrem Konto bei {site} geändert wurden. Sie lässt sich nicht abbestellen.',
    },
    'password-changed': {
      subject: 'Ihr Passwort bei {site} wurde geändert',
      preheader: 'Wenn Sie das nicht waren, schützen Sie Ihr Konto.',
      before: [
        'das Passwort Ihres Kontos {username} bei {site} wurde soeben geändert, und andere Geräte wurden abgemeldet.',
        'Wenn Sie das waren, brauchen Sie nichts zu tun.',
        'Wenn Sie das nicht waren, kennt vielleicht jemand anders Ihr Passwort: Wählen Sie bei {site} sofort über „Passwort vergessen“ ein neues.',
      ],
      invitation: 'Oder schützen Sie Ihr Konto; das entfernt auch kürzlich hinzugefügte Anmeldemethoden:',
      button: 'Mein Konto schützen',
      after: ['Der Link gilt {duration}.'],
      reason:
        'Sie erhalten diese E-Mail, weil das Passwort Ihres Kontos bei {site} geändert wurde. Sie lässt sich nicht abbestellen.',
    },
    'password-added': {
      subject: 'Ihr Konto bei {site} hat jetzt ein Passwort',
      preheader: 'Wenn Sie das nicht waren, schützen Sie Ihr Konto.',
      before: [
        'für Ihr Konto {username} bei {site} wurde soeben ein Passwort festgelegt, und andere Geräte wurden abgemeldet.',
        'Wenn Sie das waren, brauchen Sie nichts zu tun.',
      ],
      invitation: 'Wenn Sie es nicht waren, schützen Sie Ihr Konto:',
      button: 'Mein Konto schützen',
      after: ['Der Link gilt {duration}.'],
      reason:
        'Sie erhalten diese E-Mail, weil für Ihr Konto bei {site} ein Passwort festgelegt wurde. Sie lässt sich nicht abbestellen.',
    },
    'password-removed': {
      subject: 'Das Passwort Ihres Kontos bei {site} wurde entfernt',
      preheader: 'Wenn Sie das nicht waren, schützen Sie Ihr Konto.',
      before: [
        'das Passwort Ihres Kontos {username} bei {site} wurde soeben entfernt, und andere Geräte wurden abgemeldet. Sie können sich weiterhin auf anderen Wegen anmelden.',
        'Wenn Sie das waren, brauchen Sie nichts zu tun.',
      ],
      invitation: 'Wenn Sie es nicht waren, schützen Sie Ihr Konto:',
      button: 'Mein Konto schützen',
      after: ['Der Link gilt {duration}.'],
      reason:
        'Sie erhalten diese E-Mail, weil das Passwort Ihres Kontos bei {site} entfernt wurde. Sie lässt sich nicht abbestellen.',
    },
    'new-device': {
      subject: 'Neue Anmeldung bei Ihrem Konto bei {site}',
      preheader: 'Wenn Sie das nicht waren, schützen Sie Ihr Konto.',
      before: [
        'jemand, vermutlich Sie, hat sich mit einem unbekannten Gerät bei Ihrem Konto {username} bei {site} angemeldet.',
        'Das Gerät: {device}.',
        'Wenn Sie das waren, brauchen Sie nichts zu tun.',
      ],
      invitation:
        'Wenn Sie das nicht waren, kann sich jemand anders bei Ihrem Konto anmelden. Melden Sie alle ab, und wählen Sie ein neues Passwort:',
      button: 'Mein Konto schützen',
      after: ['Der Link gilt {duration}.'],
      reason:
        'Sie erhalten diese E-Mail wegen einer Anmeldung bei Ihrem Konto bei {site}. Sie lässt sich nicht abbestellen.',
    },
  },
}
