import type { Translation } from './texts.js'

/** German, with „Sie“; „Quotes“, dashes with spaces. */
export const de: Translation = {
  errors: {
    ACCOUNTS_INVALID_INPUT: 'Einige Angaben sind ungültig.',
    ACCOUNTS_INVALID_LINK:
      'Dieser Link ist nicht oder nicht mehr gültig. Wollten Sie damit ein Passwort wählen, eine Adresse bestätigen oder eine Einladung annehmen, bitten Sie um einen neuen.',
    ACCOUNTS_INVALID_CREDENTIALS: 'Diese Anmeldedaten sind falsch.',
    ACCOUNTS_INVALID_OR_NOT_VERIFIED:
      'Die Anmeldung ist fehlgeschlagen. Wenn Sie sich gerade registriert haben, bestätigen Sie zuerst Ihre Adresse.',
    ACCOUNTS_SECOND_FACTOR_REQUIRED: 'Führen Sie den zweiten Schritt der Anmeldung aus.',
    ACCOUNTS_INVALID_CODE: 'Dieser Code ist falsch oder wurde schon verwendet.',
    ACCOUNTS_LOGIN_EXPIRED: 'Diese Anmeldung gilt nicht mehr. Beginnen Sie von vorn.',
    ACCOUNTS_LOGIN_REQUIRED: 'Melden Sie sich zuerst an.',
    ACCOUNTS_NOT_VERIFIED: 'Die E-Mail-Adresse dieses Kontos muss zuerst bestätigt werden.',
    ACCOUNTS_DISABLED: 'Dieses Konto ist gesperrt.',
    ACCOUNTS_FORBIDDEN: 'Sie sind dazu nicht berechtigt.',
    ACCOUNTS_CONFIRMATION_REQUIRED: 'Bestätigen Sie zuerst, dass Sie es sind.',
    ACCOUNTS_ENROLLMENT_REQUIRED: 'Schalten Sie zuerst die Bestätigung in zwei Schritten ein.',
    ACCOUNTS_CROSS_SITE:
      'Diese Anfrage kommt von einer anderen Website. Versuchen Sie es auf dieser noch einmal.',
    ACCOUNTS_NOT_FOUND: 'Nicht gefunden.',
    ACCOUNTS_METHOD_NOT_ALLOWED: 'Methode nicht erlaubt.',
    ACCOUNTS_REQUEST_TIMEOUT:
      'Die Anfrage ist nicht rechtzeitig vollständig angekommen. Versuchen Sie es noch einmal.',
    ACCOUNTS_USERNAME_TAKEN: 'Dieser Benutzername ist vergeben.',
    ACCOUNTS_EMAIL_TAKEN: 'Zu dieser E-Mail-Adresse gibt es bereits ein Konto.',
    ACCOUNTS_CONFLICT:
      'Das passt nicht zum jetzigen Stand des Kontos. Laden Sie die Seite neu und versuchen Sie es noch einmal.',
    ACCOUNTS_THROTTLED: 'Zu viele Versuche. Versuchen Sie es später noch einmal.',
    ACCOUNTS_UNAVAILABLE: 'Der Dienst ist zurzeit nicht verfügbar. Versuchen Sie es in Kürze noch einmal.',
  },
  reasons: {
    ACCOUNTS_INVALID_CREDENTIALS: {
      wrong_passkey: 'Dieser Passkey wurde nicht angenommen. Versuchen Sie es noch einmal.',
      changed_meanwhile: 'Ihr Konto wurde während der Anmeldung geändert. Melden Sie sich noch einmal an.',
    },
    ACCOUNTS_SECOND_FACTOR_REQUIRED: {
      passkey: 'Schließen Sie die Anmeldung mit Ihrem Passkey ab.',
      totp: 'Schließen Sie die Anmeldung mit einem Code aus Ihrer Authenticator-App ab.',
      passkey_or_totp:
        'Schließen Sie die Anmeldung mit Ihrem Passkey oder einem Code aus Ihrer Authenticator-App ab.',
      recovery_code: 'Schließen Sie die Anmeldung mit einem Ihrer Wiederherstellungscodes ab.',
    },
    ACCOUNTS_FORBIDDEN: {
      missing_permission: 'Dafür haben Sie keine Berechtigung.',
      own_account: 'Das geht nicht beim eigenen Konto. Bitten Sie jemand anderen aus dem Team darum.',
      sign_up_closed:
        'Eine Registrierung ist hier nicht möglich. Wenn Sie bereits ein Konto haben, melden Sie sich dort an.',
    },
    ACCOUNTS_CONFIRMATION_REQUIRED: {
      passkey: 'Bestätigen Sie zuerst mit Ihrem Passkey, dass Sie es sind.',
      passkey_or_email_code:
        'Bestätigen Sie zuerst mit Ihrem Passkey oder einem Code an Ihre E-Mail-Adresse, dass Sie es sind.',
      totp: 'Bestätigen Sie zuerst mit einem Code aus Ihrer Authenticator-App, dass Sie es sind.',
      passkey_or_totp:
        'Bestätigen Sie zuerst mit Ihrem Passkey oder einem Code aus Ihrer Authenticator-App, dass Sie es sind.',
      just_added:
        'Das haben Sie gerade erst hinzugefügt. Bestätigen Sie mit etwas Älterem, oder melden Sie sich neu an.',
    },
    ACCOUNTS_NOT_FOUND: {
      no_password: 'Ihr Konto hat kein Passwort.',
    },
    ACCOUNTS_CONFLICT: {
      changed_meanwhile:
        'Das Konto wurde gleichzeitig geändert. Laden Sie die Seite neu und versuchen Sie es noch einmal.',
      last_way_in: 'Das ist die einzige Anmeldemöglichkeit Ihres Kontos. Fügen Sie zuerst eine andere hinzu.',
      limit_reached: 'Mehr können Sie nicht hinzufügen. Entfernen Sie zuerst etwas.',
      still_staff:
        'Sie können anderen Rechte geben: Jemand anders aus dem Team muss Ihnen Ihre entziehen, bevor Sie Ihr Konto löschen.',
      refused_by_rule: 'Eine Regel dieses Dienstes lässt diese Änderung nicht zu.',
    },
  },
  fields: {
    required: 'Diese Angabe ist erforderlich.',
    invalid: 'Diese Angabe ist ungültig.',
    unknown: 'Dieses Feld gibt es nicht.',
    read_only: 'Dieses Feld lässt sich hier nicht ändern.',
    too_short: 'Diese Angabe ist zu kurz.',
    too_long: 'Diese Angabe ist zu lang.',
    too_common: 'Dieses Passwort ist zu leicht zu erraten.',
    breached: 'Dieses Passwort ist durch ein Datenleck bekannt geworden. Bitte wählen Sie ein anderes.',
    mismatch: 'Die beiden Passwörter stimmen nicht überein.',
    incorrect: 'Dieses Passwort ist falsch.',
    unchanged: 'Das neue Passwort ist dasselbe wie das alte.',
  },
  details: {
    min_length: { one: 'Mindestens {count} Zeichen.', other: 'Mindestens {count} Zeichen.' },
    max_length: { one: 'Höchstens {count} Zeichen.', other: 'Höchstens {count} Zeichen.' },
    username_characters: 'Nur Buchstaben, Ziffern und die Zeichen @.+-_',
    username_address:
      'Ein Benutzername darf nur dann eine E-Mail-Adresse sein, wenn es die Adresse dieses Kontos ist.',
    username_reserved: 'Dieser Name ist reserviert.',
    email_ascii:
      'An Adressen mit Umlauten, Akzenten oder nicht lateinischen Buchstaben vor dem @ können wir keine E-Mails senden. Verwenden Sie eine andere.',
    email_unchanged: 'Das ist bereits Ihre E-Mail-Adresse.',
    fields_size: 'Zusammen dürfen diese Felder höchstens {count} KiB einnehmen.',
    factor_incorrect: 'Dieser Code ist falsch oder wurde schon verwendet.',
    passkey_incorrect: 'Dieser Passkey wurde nicht angenommen. Versuchen Sie es noch einmal.',
    no_such_value: '„{value}“ ist keiner der möglichen Werte.',
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
    api_keys: { one: '{count} API-Schlüssel', other: '{count} API-Schlüssel' },
    remembered_devices: { one: '{count} gemerktes Gerät', other: '{count} gemerkte Geräte' },
  },
  pages: {
    faulty: 'Fehler: {title}',
    onward: 'Weiter zu {site}',
    reset_form: {
      heading: 'Neues Passwort wählen',
      account: 'Für das Konto {username}.',
      new_password: 'Neues Passwort',
      confirm_password: 'Neues Passwort wiederholen',
      button: 'Passwort festlegen',
    },
    new_owner: {
      username: 'Benutzername',
      profile_heading: 'Das steht im Konto. Wenn es nicht von Ihnen ist, entfernen Sie es:',
      profile_label: 'Entfernen',
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
      ask: 'Wenn Sie das nicht ändern können, wenden Sie sich an {site}.',
    },
  },
  emails: {
    common: {
      sites: [' bei {site}', ' für {site}', ' zu {site}'],
      greeting: 'Guten Tag {username},',
      code: 'Ihr Code: {code}',
      otherwise: 'Wenn die Schaltfläche nicht funktioniert, öffnen Sie diese Adresse:',
      time: 'Zeitpunkt: {time}',
      device: 'Gerät: {device}',
      unknownDevice: 'unbekannt',
      from: 'Ort: {place}',
      place: 'Netzwerk {network}',
      byStaff: 'Durch: jemanden, der Konten verwaltet',
      byHost: 'Durch: uns',
      heldBack: {
        one: 'Wir haben diese E-Mail zurückgehalten, weil wir Ihnen schon mehrere solche gesendet hatten.',
        other:
          'Seitdem ist das {count}-mal vorgekommen. Die späteren E-Mails haben wir zurückgehalten und stattdessen diese gesendet.',
      },
      heldBackOften:
        'Seitdem ist das mehrmals vorgekommen. Die späteren E-Mails haben wir zurückgehalten und stattdessen diese gesendet.',
      withoutLink: 'Wenn Sie das nicht waren, wenden Sie sich sofort an uns.',
      reason:
        'Sie erhalten diese E-Mail, weil sie die Sicherheit Ihres Kontos betrifft. Sie lässt sich nicht abbestellen.',
      secure: {
        preheader: 'Wenn Sie das nicht waren, schützen Sie Ihr Konto.',
        invitation: 'Wenn Sie das nicht waren, schützen Sie Ihr Konto:',
        button: 'Mein Konto schützen',
        after: ['Der Link gilt {duration}.'],
      },
    },
    'choose-password': {
      subject: 'Wählen Sie ein neues Passwort bei {site}',
      preheader: 'Ein früheres Passwort Ihres Kontos gilt nicht mehr.',
      before: ['Ihr Konto wurde geschützt. Ein früheres Passwort gilt nicht mehr, und alle sind abgemeldet.'],
      invitation: 'Um sich wieder anzumelden, wählen Sie ein neues Passwort:',
      button: 'Neues Passwort wählen',
      after: ['Der Link funktioniert einmal und gilt {duration}. Danach hilft „Passwort vergessen“.'],
    },
    'account-exists': {
      subject: 'Sie haben bereits ein Konto bei {site}',
      preheader: 'Sie können sich damit anmelden.',
      before: [
        'jemand, vermutlich Sie, wollte sich mit dieser E-Mail-Adresse registrieren. Zu dieser Adresse gibt es bereits ein Konto namens {username}; deshalb wurde kein zweites angelegt.',
        'Sie können sich damit anmelden.',
      ],
      invitation: 'Wenn Sie sich nicht anmelden können, wählen Sie ein neues Passwort:',
      button: 'Neues Passwort wählen',
      after: [
        'Der Link funktioniert einmal und gilt {duration}.',
        'Wenn Sie das nicht waren, brauchen Sie nichts zu tun: Es wurde nichts geändert.',
      ],
      reason: 'Sie erhalten diese E-Mail, weil Ihre Adresse für ein neues Konto angegeben wurde.',
    },
    'account-changed': {
      subject: 'Ihr Konto bei {site} wurde geändert',
      preheader: 'Wenn Sie nicht wissen, warum, wenden Sie sich an uns.',
      before: [
        'die Angaben zu Ihrem Konto wurden geändert.',
        'Wenn Sie nicht wissen, warum, wenden Sie sich an uns.',
      ],
    },
    'account-deleted': {
      subject: 'Ihr Konto bei {site} wurde gelöscht',
      preheader: 'Das ist endgültig.',
      before: [
        'Ihr Konto wurde gelöscht. Das ist endgültig, und Sie können sich nicht mehr anmelden.',
        'Wenn Sie das waren oder darum gebeten haben, brauchen Sie nichts zu tun.',
        'Wenn Sie das nicht waren, wenden Sie sich sofort an uns.',
      ],
      reason:
        'Sie erhalten diese E-Mail, weil das Konto mit dieser E-Mail-Adresse gelöscht wurde. Weitere E-Mails dazu erhalten Sie nicht.',
    },
    'password-changed': {
      subject: 'Ihr Passwort bei {site} wurde geändert',
      before: [
        'das Passwort Ihres Kontos wurde geändert, und andere Geräte wurden abgemeldet.',
        'Wenn Sie das waren, brauchen Sie nichts zu tun.',
      ],
      invitation:
        'Wenn Sie das nicht waren, kann sich jemand anders bei Ihrem Konto anmelden. Schützen Sie es; das entfernt auch kürzlich hinzugefügte Anmeldemethoden:',
      withoutLink:
        'Wenn Sie das nicht waren, kann sich jemand anders bei Ihrem Konto anmelden. Wählen Sie sofort über „Passwort vergessen“ ein neues Passwort.',
    },
    'password-added': {
      subject: 'Ihr Konto bei {site} hat jetzt ein Passwort',
      before: [
        'für Ihr Konto wurde ein Passwort festgelegt, und andere Geräte wurden abgemeldet.',
        'Wenn Sie das waren, brauchen Sie nichts zu tun.',
      ],
    },
    'password-removed': {
      subject: 'Das Passwort Ihres Kontos bei {site} wurde entfernt',
      before: [
        'das Passwort Ihres Kontos wurde entfernt, und andere Geräte wurden abgemeldet. Sie können sich weiterhin auf anderen Wegen anmelden.',
        'Wenn Sie das waren, brauchen Sie nichts zu tun.',
      ],
    },
    'factor-reset': {
      subject: 'Bestätigung in zwei Schritten: Methode bei {site} entfernt',
      before: [
        'für Ihr Konto wurde bei der Wiederherstellung des Kontos eine Methode der Bestätigung in zwei Schritten entfernt. War es die einzige, braucht die Anmeldung keinen zweiten Schritt mehr.',
        'Wenn Sie das waren oder darum gebeten haben, brauchen Sie nichts zu tun.',
      ],
    },
    'new-device': {
      subject: 'Neue Anmeldung in Ihrem Konto bei {site}',
      before: [
        'jemand, vermutlich Sie, hat sich mit einem unbekannten Gerät bei Ihrem Konto angemeldet.',
        'Wenn Sie das waren, brauchen Sie nichts zu tun.',
      ],
      invitation:
        'Wenn Sie das nicht waren, kann sich jemand anders bei Ihrem Konto anmelden. Melden Sie alle ab, und wählen Sie ein neues Passwort:',
    },
  },
}
