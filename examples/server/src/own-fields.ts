/** The languages of emails. */
export const languageNames: Readonly<Record<'en' | 'de' | 'fr', string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
}

/** What users can enter besides username and email address: docs/guides/own-fields.md. */
export interface OwnFields {
  display_name?: string
  /** The language of emails; signup takes it from the browser. */
  locale?: keyof typeof languageNames
}

/** The same, as a schema. */
export const ownFields: { type: 'object'; properties: Record<keyof OwnFields, object> } = {
  type: 'object',
  properties: {
    display_name: { type: 'string', maxLength: 80 },
    locale: { enum: Object.keys(languageNames) },
  },
}
